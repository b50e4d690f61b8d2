-- Tokens by when they ended, which is when they expired or were revoked: those that ended long ago are removed.
create index access_token_ended on access_token (least(revoked_at, expires_at));
