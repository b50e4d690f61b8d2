create index concurrently rule_match_rule_id_match_id_idx on rule_match (rule_id, match_id);
