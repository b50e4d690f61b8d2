create index concurrently rule_match_live on rule_match (rule_id, version, match_id) where is_live;
