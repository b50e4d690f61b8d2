import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { COMMUNITY_ACTIONS } from '#server/core/permissions.ts'
import { grants } from '#server/core/role-permissions.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { JUDGED_CONTENT, type JudgedRow, toJudged } from '#server/modules/content/signals/judged-content.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { judgeWaiting, type NewContent, UNJUDGED } from '#server/modules/rules/judging/judge-content.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

const ITEMS_A_BATCH = 200
/** What an import adds later may count as what an author wrote before: rules wait until nothing was added for this long, */
const LEFT_ALONE = sql`interval '1 minute'`
/** but only so long, as somebody may import again and again. */
const WAITS_AT_MOST = sql`interval '1 hour'`

interface Mark {
  kind: ReviewedKind
  subjectId: string
}

/** Waits for review, in a community where rules run. */
type Imported = NewContent & Mark & { subjectVersion: number }

/** Which rules say why an imported item waits, or highlight it. */
interface Reasons extends Mark {
  subjectVersion: number
  matches: FiredRule[]
}

/**
 * Has live rules judge one batch of imported items waiting for review: they get reasons and their urgency, as if they had been written here,
 * and what highlights is marked. Nothing that was imported is rejected, reported or muted by a rule. True if more may be left. Uses
 * unjudged_import_community_id_subject_type_subject_id_idx and unjudged_import_added_at_idx.
 */
export async function judgeImported(ctx: Ctx): Promise<boolean> {
  return (await setAside.workBatch(ctx, (batch) => judgeBatch(ctx, batch))) === ITEMS_A_BATCH
}

const setAside = createSetAside('imported items')

function judgeBatch(ctx: Ctx, batch: Batch): Promise<void> {
  return inTransaction(asRules(ctx), async (ctx) => {
    const marks = await lockMarks(ctx, batch)
    if (marks.length === 0) return
    batch.take(marks.map(({ subjectId }) => subjectId))
    await recordReasons(ctx, await findReasons(ctx, await readImported(ctx, marks)))
    await execute(
      ctx,
      sql`
      delete from unjudged_import m using ${unnested(marks)}
      where m.subject_type = mark.kind::subject_type and m.subject_id = mark.subject_id`,
    )
  })
}

function lockMarks(ctx: Ctx, batch: Batch): Promise<Mark[]> {
  return query<Mark>(
    ctx,
    sql`
    select m.subject_type::text as kind, m.subject_id from unjudged_import m
    where (m.added_at < now() - ${WAITS_AT_MOST} or not exists (select from unjudged_import where added_at > now() - ${LEFT_ALONE}))
      and ${batch.isTaken(sql`m.subject_id`)}
    order by m.community_id, m.subject_type, m.subject_id ${sql.raw(`limit ${ITEMS_A_BATCH}`)} for update of m skip locked`,
  )
}

const unnested = (marks: Mark[]) => sql`
  unnest(${marks.map(({ kind }) => kind)}::text[], ${marks.map(({ subjectId }) => subjectId)}::text[])
    with ordinality as mark(kind, subject_id, place)`

type ImportedRow = JudgedRow & Omit<Imported, 'mentions'>

/** Reads the imported items that still wait, but for those by people who may review them, which rules don't judge. Uses comment_pkey and post_pkey. */
async function readImported(ctx: Ctx, marks: Mark[]): Promise<Imported[]> {
  const { reviewComments, reviewPosts } = COMMUNITY_ACTIONS
  const rows = await query<ImportedRow>(
    ctx,
    sql`
    select mark.kind, mark.subject_id, coalesce(c.version, p.version) as subject_version, judged.*
    from ${unnested(marks)}
    left join comment c on mark.kind = 'comment' and c.comment_id = mark.subject_id and c.approval_status = 'pending' and not c.is_deleted
    left join post p on mark.kind = 'post' and p.post_id = mark.subject_id and p.feed_type = 'reviewing' and not p.is_deleted
    cross join lateral (select ${JUDGED_CONTENT}) judged
    where judged.author_id is not null and judged.rules is not null and not exists (
      select from community_user mine
      where mine.community_id = judged.community_id and mine.user_id = judged.author_id and mine.membership = 'member' and not mine.is_deleted
        and case mark.kind when 'comment' then ${grants(sql`mine.roles`, reviewComments.local)}
          else ${grants(sql`mine.roles`, reviewPosts.local)} end)
    order by mark.place`,
  )
  return rows.map((row) => ({ ...row, ...toJudged(row) }))
}

/** Few communities are in a batch, as it is in their order. */
async function findReasons(ctx: Ctx, items: Imported[]): Promise<Reasons[]> {
  const found: Reasons[] = []
  for (const ofPlace of Map.groupBy(items, ({ kind, communityId }) => `${kind} ${communityId}`).values()) {
    const [place] = ofPlace
    if (place === undefined) continue
    const judgements = await judgeWaiting(ctx, place, ofPlace)
    for (const [index, { kind, subjectId, subjectVersion }] of ofPlace.entries()) {
      const { holding, highlighting } = judgements[index] ?? UNJUDGED
      const matches = [...holding, ...highlighting]
      if (matches.length > 0) found.push({ kind, subjectId, subjectVersion, matches })
    }
  }
  return found
}

/** Stores the rules that fired, except for what people have decided on or edited since. What a late score added stays. */
async function recordReasons(ctx: Ctx, reasons: Reasons[]): Promise<void> {
  if (reasons.length === 0) return
  await execute(
    ctx,
    sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(reasons)}::jsonb)
        as given(kind text, "subjectId" text, "subjectVersion" int, matches jsonb)),
    comments as materialized (
      select given.* from given join comment c on given.kind = 'comment' and c.comment_id = given."subjectId"
      where c.approval_status = 'pending' and not c.is_deleted and c.version = given."subjectVersion"
      order by c.comment_id for no key update of c),
    posts as materialized (
      select given.* from given join post p on given.kind = 'post' and p.post_id = given."subjectId"
      where p.feed_type = 'reviewing' and not p.is_deleted and p.version = given."subjectVersion"
      order by p.post_id for no key update of p)
    insert into rule_match (rule_id, version, is_live, subject_type, subject_id, found, created_at)
    select fired."ruleId", fired.version, true, waiting.kind::subject_type, waiting."subjectId", fired.found, ${ctx.now()}
    from (table comments union all table posts) waiting
    cross join jsonb_to_recordset(waiting.matches) as fired("ruleId" text, version int, found jsonb)
    on conflict (subject_type, subject_id, rule_id) do nothing`,
  )
  for (const type of ['comment', 'post'] as const)
    await putItems(
      ctx,
      type,
      reasons.flatMap(({ kind, subjectId }) => (kind === type ? subjectId : [])),
    )
}
