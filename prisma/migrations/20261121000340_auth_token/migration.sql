-- What a backend fetches with its server key, so that its app may open the session of one user (CONTRACT.md, Who may do what).

create table "auth_token" (
  "digest" bytea not null,
  "user_id" text not null,
  "key_id" text not null,
  "expires_at" timestamptz(3) not null,

  constraint "auth_token_pkey" primary key ("digest"),
  constraint "auth_token_key_id_fkey" foreign key ("key_id") references "api_key" ("key_id") on delete cascade on update no action
);

-- where expires_at < $1: what is left behind is cleared away
create index "auth_token_expires_at_idx" on "auth_token" ("expires_at");
