create index concurrently comment_claimed on comment (claimed_by, claimed_until) where claimed_by is not null;
