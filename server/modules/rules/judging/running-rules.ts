import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { AUTOMATON_BYTES, sizeOfPatterns } from '#server/modules/rules/conditions/pattern.ts'
import { countWords } from '#server/modules/rules/conditions/schema.ts'
import {
  asksForSignals,
  type CompiledSpace,
  compileSpace,
  joinSpaces,
  type RunningRule,
} from '#server/modules/rules/judging/compile-space.ts'
import type { RuleKind } from '#server/modules/rules/registry/schema.ts'
import { ACTION } from '#server/modules/rules/registry/view.ts'

/** Names rules `r` of one space, in their revisions. */
const REVISIONS = sql`string_agg(r.rule_id || ' ' || r.revision, ',' order by r.rule_id)`
/** Names rules `r` of the network and of a community: null without any. */
const NAME = sql`case when count(*) > 0 then concat(
  md5(${REVISIONS} filter (where r.community_id is null)), '/', md5(${REVISIONS} filter (where r.community_id is not null))) end`

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
 * Which rules judge messages of `channel c`, as `runningRules` names them: those of the network, and of the community that the column names, whose
 * channel it is. Conversations are private: no rule judges them.
 */
export function runningMessageRules(communityColumn: Sql): Sql {
  return sql`(
    select ${NAME} from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
    where c.type <> 'conversation' and r.state in ('shadow', 'live') and (r.community_id = ${communityColumn} or r.community_id is null)
      and 'message' = any(v.kinds))`
}

/** Whether rules judge content of the community that the column names, as an SQL condition. Uses rule_community_id_position_idx. */
export function hasRunningRules(communityColumn: Sql): Sql {
  return sql`exists (select from rule r where ${isRunningIn(communityColumn)})`
}

function isRunningIn(communityColumn: Sql): Sql {
  return sql`r.state in ('shadow', 'live')
    and (r.community_id = ${communityColumn} or r.community_id is null and ${communityColumn} is not null)`
}

interface Judged {
  kind: RuleKind
  communityId: string | null
}

/**
 * The rules that `name`, the value of `runningRules` or `runningMessageRules`, stands for, the network's first; where those of a space have
 * changed since it was read, its rules of now. Those of each space are read and compiled once in a process.
 */
export async function readRunningRules(ctx: Ctx, judged: Judged, name: string): Promise<CompiledSpace> {
  const [ofNetwork = '', ofCommunity = ''] = name.split('/')
  const spaces = [
    { communityId: null, revisions: ofNetwork },
    { communityId: judged.communityId, revisions: ofCommunity },
  ].filter(({ revisions }) => revisions !== '')
  const known = spaces.map(({ communityId, revisions }) => findKept(nameOf(communityId, judged.kind), revisions))
  const unknown = spaces.filter((_, index) => known[index] === undefined).map(({ communityId }) => communityId)
  const read = unknown.length > 0 ? await readSpaces(ctx, judged.kind, unknown) : undefined
  const compiling = spaces.flatMap(({ communityId }, index) => known[index] ?? read?.get(communityId) ?? [])
  return joinSpaces(await Promise.all(compiling))
}

type Compiling = Promise<CompiledSpace>

interface Kept {
  revisions: string
  compiling: Compiling
  /** About as many as it takes at most. */
  bytes: number
}

/** For how many spaces, those used latest, compiled rules are kept. */
const SPACES_KEPT = 100
/** How much memory the compiled rules that are kept take at most, except that the latest are always kept. */
const BYTES_KEPT = 150_000_000
/** Compiled rules by space and by whether they judge messages; those from before a change are dropped with the change. */
const kept = new Map<string, Kept>()

const nameOf = (communityId: string | null, kind: RuleKind) =>
  `${communityId ?? 'network'} ${kind === 'message' ? 'messages' : 'others'}`

function findKept(name: string, revisions: string): Compiling | undefined {
  const found = kept.get(name)
  if (found?.revisions !== revisions) return undefined
  kept.delete(name)
  kept.set(name, found)
  return found.compiling
}

function keep(name: string, revisions: string, rules: RunningRule[]): Compiling {
  const compiling = compileSpace(rules)
  const mine = { revisions, compiling, bytes: rules.reduce((sum, rule) => sum + bytesOf(rule), 0) }
  kept.delete(name)
  kept.set(name, mine)
  compiling.catch(() => {
    if (kept.get(name) === mine) kept.delete(name)
  })
  let [spacesKept, bytesKept] = [0, 0]
  for (const [other, { bytes }] of [...kept].reverse()) {
    spacesKept += 1
    bytesKept += bytes
    if (other !== name && (spacesKept > SPACES_KEPT || bytesKept > BYTES_KEPT)) kept.delete(other)
  }
  return compiling
}

/** About as many as a compiled rule takes at most, with all that its patterns may remember, for each kind of content that it judges. */
function bytesOf({ condition, kinds }: RunningRule): number {
  const { words, characters } = countWords(condition)
  const bytes = words * BYTES.word + characters * BYTES.character + sizeOfPatterns(condition) * AUTOMATON_BYTES
  return kinds.length * bytes * (asksForSignals(condition) ? 2 : 1)
}

/** Measured with words that are found as written, as spelled and as spelled letter by letter. */
const BYTES = { word: 1_000, character: 100 }

type Read = RunningRule & { communityId: string | null; revisions: string }

/**
 * The running rules of these spaces: kept by the revisions that were read, which can be newer than those that were asked for. Uses
 * rule_community_id_position_idx and rule_version_pkey.
 */
async function readSpaces(
  ctx: Ctx,
  kind: RuleKind,
  communityIds: (string | null)[],
): Promise<Map<string | null, Compiling>> {
  const judgesThese = kind === 'message' ? sql`'message' = any(v.kinds)` : sql`true`
  const ofNetwork = communityIds.includes(null) ? sql`r.community_id is null` : sql`false`
  const [communityId = null] = communityIds.filter((id) => id !== null)
  const rows = await query<Read>(
    ctx,
    sql`
    with running as materialized (
      select r.rule_id, r.community_id, r.position, r.revision, r.version, r.state::text as state, v.kinds, v.condition, ${ACTION}
      from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
      where r.state in ('shadow', 'live') and (${ofNetwork} or r.community_id = ${communityId}) and ${judgesThese})
    select r.rule_id, r.community_id, r.version, r.state, r.kinds, r.condition, r.action, space.revisions
    from running r
    join (select r.community_id, md5(${REVISIONS}) as revisions from running r group by 1) space
      on space.community_id is not distinct from r.community_id
    order by r.position, r.rule_id`,
  )
  const bySpace = Map.groupBy(rows, ({ communityId }) => communityId)
  return new Map(
    [...bySpace].map(([communityId, rules]) => {
      const [{ revisions } = { revisions: '' }] = rules
      const name = nameOf(communityId, kind)
      return [communityId, findKept(name, revisions) ?? keep(name, revisions, rules)]
    }),
  )
}
