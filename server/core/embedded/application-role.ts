import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'

/** The role the server connects as: it reads and writes rows, and owns nothing but pg-boss's jobs. */
export const APPLICATION_ROLE = 'docket_app'

/** pg-boss creates and migrates its own tables, in its own schema. */
const JOBS_SCHEMA = 'pgboss'

/** When several processes prepare one database, only one works at a time. */
const LOCK = 72_707_372

/** Derived from the owner's password, so every process of this home knows it; the owner's cannot be derived from it. */
export function applicationPassword(ownerPassword: string): string {
  return createHmac('sha256', ownerPassword).update(APPLICATION_ROLE).digest('base64url')
}

/**
 * Creates the role on the first start, or in a home where an older Docket connected as the owner. `owner` may be connected to any database.
 */
export async function ensureApplicationRole(owner: Pool, password: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [APPLICATION_ROLE])
  if (rowCount === 0) await owner.query(`create role ${APPLICATION_ROLE}`)
  await owner.query(
    `alter role ${APPLICATION_ROLE}
     with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`,
  )
}

/**
 * Runs `work`, which may change the schema, as the owner of the tables. The application can use new tables as soon as they exist; when
 * `work` is done, it gets every privilege on each table that the table's own triggers do not reject.
 */
export async function withGrants<Result>(owner: Pool, work: (owner: Pool) => Promise<Result>): Promise<Result> {
  await inLockedTransaction(owner, [grantInAdvance(), giveJobsToApplication()])
  const result = await work(owner)
  await inLockedTransaction(owner, [grantWhatIsMissing()])
  return result
}

async function inLockedTransaction(owner: Pool, statements: string[]): Promise<void> {
  const client = await owner.connect()
  // A broken connection fails the statement; without a listener the event would end the process.
  client.on('error', () => {})
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
    client.release()
  } catch (error) {
    // Closing the connection rolls back.
    client.release(true)
    throw error
  }
}

/** A trigger of an old table may write to a new one while an older process is still running. */
function grantInAdvance(): string {
  return `
    do $$ begin
      execute format('revoke temporary on database %I from public', current_database());
    end $$;
    grant usage on schema public to ${APPLICATION_ROLE};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${APPLICATION_ROLE};
    alter default privileges in schema public grant usage, select on sequences to ${APPLICATION_ROLE}`
}

/** Statements that give the schema of jobs to the application: in a home of an older Docket, the owner has it. */
function giveJobsToApplication(): string {
  return `
    create schema if not exists ${JOBS_SCHEMA} authorization ${APPLICATION_ROLE};
    do $$
    declare
      foreign_object record;
    begin
      for foreign_object in
        select case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind,
          c.oid::regclass::text as name
        from pg_class c
        where c.relnamespace = '${JOBS_SCHEMA}'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
          and c.relowner <> '${APPLICATION_ROLE}'::regrole
          -- The sequence of a column goes with its table.
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S')
        union all
        select 'function', p.oid::regprocedure::text from pg_proc p
        where p.pronamespace = '${JOBS_SCHEMA}'::regnamespace and p.proowner <> '${APPLICATION_ROLE}'::regrole
        union all
        select 'type', t.oid::regtype::text from pg_type t
        where t.typnamespace = '${JOBS_SCHEMA}'::regnamespace and t.typowner <> '${APPLICATION_ROLE}'::regrole and t.typtype in ('e', 'd')
        union all
        select 'schema', nspname from pg_namespace where nspname = '${JOBS_SCHEMA}' and nspowner <> '${APPLICATION_ROLE}'::regrole
      loop
        execute format('alter %s %s owner to ${APPLICATION_ROLE}', foreign_object.kind, foreign_object.name);
      end loop;
    end $$`
}

/**
 * Grants select, insert, update and delete on all tables, except what a table's own trigger rejects (reject_change). Never grants truncate,
 * and the table of applied migrations is read-only. Only changes what differs.
 */
function grantWhatIsMissing(): string {
  return `
    do $$
    declare
      relation record;
    begin
      for relation in
        with wanted as (
          select c.oid, c.oid::regclass::text as name, c.relkind = 'S' as is_sequence,
            case when c.relkind = 'S' then array['usage', 'select']
              when c.relname = '_prisma_migrations' then array['select']
              else array['select', 'insert']
                || case when rejected.change & 16 = 0 then array['update'] else '{}' end
                || case when rejected.change & 8 = 0 then array['delete'] else '{}' end
            end as privileges
          from pg_class c cross join lateral (
            -- The bits of tgtype: 8 is delete, 16 is update.
            select coalesce(bit_or(g.tgtype), 0)::int as change
            from pg_trigger g join pg_proc p on p.oid = g.tgfoid where g.tgrelid = c.oid and p.proname = 'reject_change') rejected
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')),
        held as (
          select c.oid, array_agg(lower(acl.privilege_type)) as privileges
          from pg_class c cross join aclexplode(c.relacl) acl
          where acl.grantee = '${APPLICATION_ROLE}'::regrole group by c.oid)
        select w.name, w.is_sequence, w.privileges from wanted w left join held h using (oid)
        where h.privileges is null or not (h.privileges @> w.privileges and h.privileges <@ w.privileges)
      loop
        execute format('revoke all on %s %s from ${APPLICATION_ROLE}',
          case when relation.is_sequence then 'sequence' else 'table' end, relation.name);
        execute format('grant %s on %s %s to ${APPLICATION_ROLE}', array_to_string(relation.privileges, ', '),
          case when relation.is_sequence then 'sequence' else 'table' end, relation.name);
      end loop;
    end $$`
}
