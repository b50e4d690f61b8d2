create index concurrently mute_by_rule_lifted on mute (lifted_at) where rule_version is not null;
