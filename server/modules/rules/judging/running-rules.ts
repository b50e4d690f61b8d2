import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { type CompiledRules, compileRules, type Rule } from '#server/modules/rules/conditions/compile.ts'
import type { FailedRule } from '#server/modules/rules/conditions/judge.ts'
import { leavesOf } from '#server/modules/rules/conditions/schema.ts'
import type { RuleAction, RuleKind, RuleState } from '#server/modules/rules/registry/schema.ts'
import { ACTION } from '#server/modules/rules/registry/view.ts'
import type { Severity } from '#server/modules/rules/severity/schema.ts'

/** The rules of a community and of the network that are in shadow or live, compiled for each kind of content. */
interface RunningRules {
  compiled: Record<RuleKind, CompiledRules>
  /** Those of them that ask for signals. */
  onSignals: Record<RuleKind, CompiledRules>
  /** Live rules by what they do, with their severity. */
  live: Record<RuleAction['type'], ReadonlyMap<string, Severity>>
  /** For how many minutes live rules mute the author; those that don't are left out. */
  muteMinutes: ReadonlyMap<string, number>
  /** Those that can't be compiled any more. */
  failed: FailedRule[]
}

/** Names the rules `r`. */
const NAME = sql`md5(string_agg(r.rule_id || ' ' || r.revision, ',' order by r.rule_id))`

/** Of so many communities, the compiled rules are kept: the latest that were used. */
const KEPT = 100
const kept = new Map<string, Promise<RunningRules>>()

/**
 * Which rules judge content of the community that the column names, as an SQL expression: null if none do. Read in the statement that begins
 * a write, so that each write is judged by the rules of that moment, in every process. A revision never comes back, so the value names these
 * rules for good. Uses rule_community_id_position_idx.
 */
export function runningRules(communityColumn: Sql): Sql {
  return sql`(
    select ${NAME} from rule r where ${isRunningIn(communityColumn)})`
}

/**
 * The same of the rules that judge messages of `channel c`: those of the network, and of the community that the column names, whose channel it
 * is. Conversations are private: no rule judges them.
 */
export function runningMessageRules(communityColumn: Sql): Sql {
  return sql`(
    select ${OF_MESSAGES} || ${NAME}
    from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
    where c.type <> 'conversation' and r.state in ('shadow', 'live') and (r.community_id = ${communityColumn} or r.community_id is null)
      and 'message' = any(v.kinds))`
}

/** Such a value names fewer rules than judge the comments there. */
const OF_MESSAGES = 'messages '

/** Whether rules judge content of the community that the column names, as an SQL condition. Uses rule_community_id_position_idx. */
export function hasRunningRules(communityColumn: Sql): Sql {
  return sql`exists (select from rule r where ${isRunningIn(communityColumn)})`
}

function isRunningIn(communityColumn: Sql): Sql {
  return sql`r.state in ('shadow', 'live')
    and (r.community_id = ${communityColumn} or r.community_id is null and ${communityColumn} is not null)`
}

interface RunningRow extends Rule {
  state: RuleState
  kinds: RuleKind[]
  action: RuleAction
}

/**
 * The rules that `name`, the value of `runningRules`, stands for; where they have changed since it was read, those that run now. They are read
 * and compiled once in a process.
 */
export function readRunningRules(ctx: Ctx, communityId: string | null, name: string): Promise<RunningRules> {
  const known = kept.get(name)
  return known ? keep(name, known) : compileCurrent(ctx, communityId, name)
}

/** Kept by the name of the rules that were read: a community without rules of its own shares its name with others. */
async function compileCurrent(ctx: Ctx, communityId: string | null, asked: string): Promise<RunningRules> {
  const rows = await readRows(ctx, communityId, asked)
  const [first] = rows
  return first ? keep(first.name, compileRunning(rows)) : compileRunning([])
}

function keep(name: string, rules: Promise<RunningRules>): Promise<RunningRules> {
  kept.delete(name)
  kept.set(name, rules)
  rules.catch(() => kept.delete(name))
  for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest)
  return rules
}

/**
 * The network's first, each in the order of its space, with the name of all of them. Uses rule_community_id_position_idx and
 * rule_version_pkey.
 */
function readRows(ctx: Ctx, communityId: string | null, asked: string): Promise<(RunningRow & { name: string })[]> {
  const isOfMessages = asked.startsWith(OF_MESSAGES)
  const judgesThese = isOfMessages ? sql`'message' = any(v.kinds)` : sql`true`
  return query<RunningRow & { name: string }>(
    ctx,
    sql`
    with running as materialized (
      select r.rule_id, r.community_id, r.position, r.revision, r.version, r.state::text as state, v.kinds, v.condition, ${ACTION}
      from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
      where r.state in ('shadow', 'live') and (r.community_id = ${communityId} or r.community_id is null) and ${judgesThese})
    select r.rule_id, r.community_id, r.version, r.state, r.kinds, r.condition, r.action,
      ${isOfMessages ? OF_MESSAGES : ''} || (select ${NAME} from running r) as name
    from running r
    order by r.community_id is not null, r.position, r.rule_id`,
  )
}

async function compileRunning(rows: RunningRow[]): Promise<RunningRules> {
  return compileAll(rows, []).catch(async () => compileAll(rows, await findFailing(rows)))
}

async function compileAll(rows: RunningRow[], failed: FailedRule[]): Promise<RunningRules> {
  const usable = rows.filter(({ ruleId }) => failed.every((failure) => failure.ruleId !== ruleId))
  const compileEach = async (rows: RunningRow[]) => {
    const compiledFor = (kind: RuleKind) => compileRules(rows.filter(({ kinds }) => kinds.includes(kind)))
    return {
      comment: await compiledFor('comment'),
      post: await compiledFor('post'),
      message: await compiledFor('message'),
    }
  }
  const live = (type: RuleAction['type']) =>
    new Map(
      usable.flatMap(({ ruleId, state, action }) =>
        state === 'live' && action.type === type ? [[ruleId, action.severity] as const] : [],
      ),
    )
  const muteMinutes = new Map(
    usable.flatMap(({ ruleId, state, action: { type, muteMinutes } }) =>
      state === 'live' && muteMinutes !== undefined && (type === 'hold' || type === 'reject')
        ? [[ruleId, muteMinutes] as const]
        : [],
    ),
  )
  const [compiled, onSignals] = [await compileEach(usable), await compileEach(usable.filter(asksForSignals))]
  return {
    compiled,
    onSignals,
    live: { hold: live('hold'), reject: live('reject'), flag: live('flag'), highlight: live('highlight') },
    muteMinutes,
    failed,
  }
}

const asksForSignals = ({ condition }: RunningRow) => leavesOf(condition).some(({ kind }) => kind === 'signal')

/** A rule was compiled when it was written; a later version of Docket may not be able to. */
async function findFailing(rows: RunningRow[]): Promise<FailedRule[]> {
  const tried = rows.map(async ({ ruleId, version, condition }): Promise<FailedRule[]> => {
    const compiling = compileRules([{ ruleId, version, condition }])
    return compiling.then(
      () => [],
      (error: unknown) => [{ ruleId, version, reason: 'error', error }],
    )
  })
  return (await Promise.all(tried)).flat()
}
