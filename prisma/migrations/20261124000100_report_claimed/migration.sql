create index concurrently report_claimed on report (claimed_by, claimed_until) where claimed_by is not null;
