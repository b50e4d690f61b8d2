import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'

const REJECT_CHANGE = `begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end`
const REJECT_TEXT_CHANGE = `begin
  if tg_op = 'UPDATE' and new.audit_id = old.audit_id and new.salt is null and new.text is null
    and new.erased_by is not null and old.erased_by is null then
    return new;
  end if;
  raise exception 'audit_text is append-only: words can be erased, not changed' using errcode = 'restrict_violation';
end`
const AWAIT_SEAL = 'begin insert into audit_unsealed values (new.audit_id); return null; end'

/** The triggers that keep the log append-only, and the function each one runs. */
const GUARDS: Record<string, string> = {
  'audit.audit_append_only': REJECT_CHANGE,
  'audit.audit_no_truncate': REJECT_CHANGE,
  'audit.audit_await_seal': AWAIT_SEAL,
  'audit_seal.audit_seal_append_only': REJECT_CHANGE,
  'audit_seal.audit_seal_no_truncate': REJECT_CHANGE,
  'audit_text.audit_text_append_only': REJECT_TEXT_CHANGE,
  'audit_text.audit_text_no_truncate': REJECT_TEXT_CHANGE,
}

/**
 * Changes to the tables themselves: a trigger that is disabled or runs something else, a replaced function, a rule, a view.
 * Rows are verified without any of these, but such a change suggests an intent to change rows.
 */
export async function findWeakGuard(ctx: Ctx): Promise<string | undefined> {
  const [triggers, tables] = await Promise.all([
    query<{ name: string; isOn: boolean; source: string }>(
      ctx,
      sql`
      select relname || '.' || tgname as name, tgenabled in ('O', 'A') as is_on, prosrc as source
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and tgrelid in (to_regclass('audit'), to_regclass('audit_seal'), to_regclass('audit_text'))`,
    ),
    query<{ name: string }>(
      ctx,
      sql`
      select relname as name from pg_class
      where oid in (to_regclass('audit'), to_regclass('audit_seal'), to_regclass('audit_text'))
        and (relkind <> 'r' or relhasrules or relrowsecurity)`,
    ),
  ])
  for (const [name, source] of Object.entries(GUARDS)) {
    const trigger = triggers.find((found) => found.name === name)
    if (trigger?.isOn !== true) return `the trigger ${name} is ${trigger === undefined ? 'missing' : 'disabled'}`
    if (!isSameCode(trigger.source, source)) return `the function of the trigger ${name} was replaced`
  }
  const [odd] = tables
  return odd && `${odd.name} is not the plain table that it was`
}

function isSameCode(one: string, other: string): boolean {
  const bare = (code: string) => code.replaceAll(/\s+/g, '').replace(/;$/, '')
  return bare(one) === bare(other)
}
