-- What the program signs a row of the log with, and the number that tells the row from a copy of it. Rows written before have neither.
-- AlterTable
ALTER TABLE "audit" ADD COLUMN     "mac" BYTEA,
ADD COLUMN     "nonce" BYTEA;
create unique index audit_nonce on audit (nonce) where nonce is not null;

-- How a seal was made: 1 over audit_content(), 2 over what the program encodes. Older programs write 1.
-- AlterTable
ALTER TABLE "audit_seal" ADD COLUMN     "version" SMALLINT NOT NULL DEFAULT 1;

-- The signed end of the chain, in one row.
-- CreateTable
CREATE TABLE "audit_head" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "generation" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "count" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "unsigned_until" TIMESTAMPTZ(3),
    "mac" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);
alter table audit_head add constraint audit_head_alone check (id = 1);

-- Rows that wait no longer for a seal, since they will not get one.
-- CreateTable
CREATE TABLE "audit_refused" (
    "audit_id" BIGINT NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT NOT NULL,

    CONSTRAINT "audit_refused_pkey" PRIMARY KEY ("audit_id")
);

-- Words are erased by taking them out of their row and naming the act that erased them. Those erased before have no row: they get one.
-- AlterTable
ALTER TABLE "audit_text" ADD COLUMN     "erased_by" TEXT,
ALTER COLUMN "salt" DROP NOT NULL,
ALTER COLUMN "text" DROP NOT NULL;
insert into audit_text (audit_id)
select a.audit_id from audit a
where a.text_digest is not null and not exists (select from audit_text t where t.audit_id = a.audit_id);

create function guard_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.audit_id = old.audit_id and new.salt is null and new.text is null
    and new.erased_by is not null and old.erased_by is null then
    return new;
  end if;
  raise exception 'audit_text is append-only: words can be erased, not changed' using errcode = 'restrict_violation';
end $$;
create trigger audit_text_append_only before update or delete on audit_text for each row execute function guard_words();
create trigger audit_text_no_truncate before truncate on audit_text for each statement execute function guard_words();

-- The background check keeps its places under new names: processes of the version before cannot read seals of version 2.
-- AlterEnum
ALTER TYPE "audit_walk" ADD VALUE 'latest';
ALTER TYPE "audit_walk" ADD VALUE 'full';
