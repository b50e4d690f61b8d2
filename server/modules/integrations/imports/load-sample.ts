import type { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { newPassword } from '#server/core/ids.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import type { NewFlag } from '#server/modules/content/flags/schema.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { type ImportRecord, importRecords } from '#server/modules/integrations/imports/import-records.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { listRules } from '#server/modules/rules/registry/list-rules.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'

export interface SampleAccount {
  title: string
  email: string
  password: string
}

export interface SampleFlag {
  by: string
  subject: Subject
  reason: string
  detail?: string
  at: string
}

export type SampleRule = Pick<z.input<typeof NewRule>, 'name' | 'condition' | 'action'>

export interface SampleComment {
  by: string
  postId: string
  text: string
  at: string
}

export interface Sample {
  records: ImportRecord[]
  flags: SampleFlag[]
  /** The community whose queue the sample's moderator clears. */
  moderatedCommunityId: string
  /** The rules of that community, which all run, and a moderator who made them. */
  rules: SampleRule[]
  rulesBy: { userId: string; at: string }
  /** What was written since and is judged by them, the oldest first. */
  written: SampleComment[]
}

/** Three passwords are hashed in one transaction, which takes long on a busy machine. */
const LIMIT_MS = 120_000

/**
 * Fills an empty database with the sample and creates one account of each kind, each with its own password. Does nothing if any
 * community or staff account exists; an interrupted start continues where it stopped.
 */
export async function loadSample(ctx: Ctx, makeSample: (now: Date) => Sample): Promise<SampleAccount[]> {
  const sample = makeSample(ctx.now())
  const ownCommunities = sample.records.flatMap((record) => (record.type === 'community' ? [record.communityId] : []))
  const state = await queryOne<{ staff: boolean; foreign: boolean }>(
    ctx,
    sql`
    select exists (select from staff_account) as staff,
      exists (select from community where community_id <> all(${ownCommunities})) as foreign`,
  )
  if (state?.staff === true || state?.foreign === true) return []

  await importRecords(ctx, sample.records)
  for (const { by, subject, at, ...flag } of sample.flags)
    await flagSubject({ ...ctx, ...personAt(by, at) }, subject, flag)
  await startRules({ ...ctx, ...personAt(sample.rulesBy.userId, sample.rulesBy.at) }, sample)
  const load = async (ctx: Ctx) => {
    for (const { by, at, postId, text } of sample.written) {
      const comment = NewComment.parse({ referenceType: 'post', referenceId: postId, data: { text } })
      await createComment({ ...ctx, ...personAt(by, at) }, comment)
    }
    const admin = await makeAccount(ctx, {
      title: 'Network admin',
      name: 'Robin Ade',
      email: 'admin@docket.example',
      roleId: 'global-admin',
    })
    const moderator = await makeAccount(ctx, {
      title: 'Community moderator',
      name: 'Asha Thapa',
      email: 'moderator@docket.example',
      roleId: 'community-moderator',
      communityId: sample.moderatedCommunityId,
    })
    const support = await makeAccount(ctx, {
      title: 'Support agent',
      name: 'Tomás Rey',
      email: 'support@docket.example',
      roleId: 'support',
    })
    return [admin, moderator, support]
  }
  return inTransaction(ctx, load, { limitMs: LIMIT_MS })
}

function personAt(userId: string, at: string): Pick<Ctx, 'actor' | 'now'> {
  return { actor: { kind: 'user', userId, name: userId }, now: () => new Date(at) }
}

/** Makes the rules live that aren't there yet. */
async function startRules(ctx: Ctx, { moderatedCommunityId: communityId, rules }: Sample): Promise<void> {
  const existing = await listRules(ctx, { communityId })
  const names = new Set(existing.map(({ name }) => name))
  for (const { name, condition, action } of rules) {
    if (names.has(name)) continue
    const rule = NewRule.parse({ communityId, name, kinds: ['comment', 'post'], condition, action })
    await inTransaction(ctx, async (ctx) => setRuleState(ctx, { ...(await createRule(ctx, rule)), state: 'live' }))
  }
}

/** Flagging it twice flags it once. */
async function flagSubject(ctx: Ctx, { subjectType, subjectId: id }: Subject, given: NewFlag): Promise<void> {
  const act = {
    comment: () => flag(ctx, flaggableComment, { id, flag: given }),
    post: () => flag(ctx, flaggablePost, { id, flag: given }),
    message: () => flag(ctx, flaggableMessage, { id, flag: given }),
    user: () => flag(ctx, flaggableUser, { id, flag: given }),
  }[subjectType]
  await act()
}

interface Account {
  title: string
  name: string
  email: string
  roleId: string
  communityId?: string
}

async function makeAccount(ctx: Ctx, { title, ...account }: Account): Promise<SampleAccount> {
  const password = newPassword()
  await createStaff(ctx, { ...account, password })
  return { title, email: account.email, password }
}
