create index concurrently post_claimed on post (claimed_by, claimed_until) where claimed_by is not null;
