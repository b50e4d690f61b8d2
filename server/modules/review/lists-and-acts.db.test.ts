import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { NETWORK_PERMISSIONS, type Permission } from '#server/core/permission-names.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { type Flaggable, flag, type Placed } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { deleteMessage } from '#server/modules/content/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { eraseContent } from '#server/modules/people/erase-content.ts'
import { erasePerson } from '#server/modules/people/erase-person.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide, restoreRejected, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { decideComment } from '#server/modules/review/decisions/decide-shown.ts'
import { ItemKind, Outcome, type Subject } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import {
  DeskFilter,
  DeskQueueInput,
  type PendingItem,
  type QueueItem,
  QueueView,
  ReviewQueueQuery,
} from '#server/modules/review/queue/schema.ts'
import { countViews } from '#server/modules/review/views/count-views.ts'
import { saveView } from '#server/modules/review/views/save-view.ts'
import { SaveViewInput } from '#server/modules/review/views/schema.ts'
import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { deleteChannel } from '#server/modules/spaces/channels/delete-channel.ts'
import { deleteCommunity } from '#server/modules/spaces/communities/delete-community.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { writtenComment, writtenMessage, writtenPost } from '#server/testing/rules-on.ts'
import { sampled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const WINDOW = { undoWindowMs: 600_000 }
const asDesk = (userId: string) => ctxOf(database, asUser(userId), WINDOW)

async function staff(rank: number, permissions: Permission[]): Promise<Ctx> {
  const roleId = `role-${randomUUID()}`
  await prisma.role.create({ data: { roleId, scope: 'network', rank, permissions } })
  const { userId } = await make.user({ roles: [roleId] })
  return ctxOf(database, { kind: 'admin', userId, name: 'Staff', rank, permissions: new Set(permissions) }, WINDOW)
}

const admin = await staff(1_000, [
  ...NETWORK_PERMISSIONS,
  'CLOSE_CHANNEL',
  'DELETE_MESSAGE',
  'MANAGE_RULES',
  'DELETE_COMMUNITY',
])
const REVIEWER = `reviewer-${randomUUID()}`
await prisma.role.createMany({
  data: [
    {
      roleId: REVIEWER,
      scope: 'community',
      rank: 10,
      permissions: ['REVIEW_COMMUNITY_COMMENT', 'REVIEW_COMMUNITY_POST'],
    },
  ],
})
const network = {
  admin,
  'network moderator': await staff(600, ['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_CHANNELS']),
  'network moderator who sees no channels': await staff(600, ['MANAGE_POST_AND_COMMENT', 'READ_CONVERSATIONS']),
}

const { queueId } = await createNamedQueue(admin, { communityId: null, name: 'Boats', memberIds: [] })
const holding = NewRule.parse({
  communityId: null,
  name: 'Boats',
  kinds: ['comment', 'post'],
  condition: { kind: 'words', words: ['boat'] },
  action: { type: 'hold', queueId },
})
const rejecting = NewRule.parse({
  communityId: null,
  name: 'Ferries',
  kinds: ['comment', 'post', 'message'],
  condition: { kind: 'words', words: ['ferry'] },
  action: { type: 'reject' },
})
for (const rule of [holding, rejecting])
  await setRuleState(admin, { ...(await createRule(admin, rule)), state: 'live' })
await make.community()
const VIEWS = new Map([[queueId, 'named queue']])
for (const view of QueueView.options) {
  const { viewId } = await saveView(admin, SaveViewInput.parse({ name: view, filters: { view }, isShared: true }))
  VIEWS.set(viewId, view)
}

type Scene = Awaited<ReturnType<typeof scene>>

/** A private community and its room with an author, those who moderate either, and those who moderate others. */
async function scene() {
  const { communityId } = await make.community({ isPublic: false, needApprovalOnCommentCreation: false })
  const { channelId } = await make.channel({ isPublic: false })
  const elsewhere = await make.reviewerOf((await make.community()).communityId)
  await make.channelUser({
    channelId: (await make.channel()).channelId,
    userId: elsewhere.userId,
    roles: ['channel-moderator'],
  })
  const person = async (roles: string[] = []) => {
    const { userId } = await make.user()
    await make.member({ communityId, userId, roles })
    await make.channelUser({ channelId, userId })
    return userId
  }
  const { userId: moderatesChannel } = await make.moderatorOf(channelId)
  const [authorId, reporterId, ownerId] = [await person(), await person(), await person()]
  const { postId } = await make.heldPost({ communityId, postedUserId: ownerId })
  await approved('post', postId)
  const callers: Record<string, Ctx> = {
    'community moderator': ctxOf(database, await make.reviewerOf(communityId), WINDOW),
    'reviewer who deletes nothing': asDesk(await person([REVIEWER])),
    'channel moderator': asDesk(moderatesChannel),
    'moderator of another community': ctxOf(database, elsewhere, WINDOW),
    member: asDesk(ownerId),
    author: asDesk(authorId),
    ...network,
  }
  return {
    communityId,
    channelId,
    postId,
    authorId,
    authorRank: 0,
    reporterId,
    ownerId,
    callers,
    word: `w${randomUUID().replaceAll('-', '')}`,
  }
}

const app = (userId: string) => ctxOf(database, asUser(userId), { source: 'rest', ...WINDOW })

async function flagged<S extends Placed>({ reporterId }: Scene, flaggable: Flaggable<S, unknown>, id: string) {
  await flag(app(reporterId), flaggable, { id, flag: { reason: 'spam' } })
  return { subjectType: flaggable.type, subjectId: id }
}

const comment = ({ authorId, postId, word }: Scene, text: string) =>
  writtenComment(app(authorId), { referenceType: 'post', referenceId: postId, data: { text: `${text} ${word}` } })
const post = ({ authorId, communityId, word }: Scene, text: string) =>
  writtenPost(app(authorId), {
    targetType: 'community',
    targetId: communityId,
    data: { text: `${text} ${word}` },
    attachments: [],
  })

const ITEMS: Record<string, (scene: Scene) => Promise<Subject>> = {
  'held comment': async (scene) => ({ subjectType: 'comment', subjectId: await comment(scene, 'A boat') }),
  'held post': async (scene) => ({ subjectType: 'post', subjectId: await post(scene, 'A boat') }),
  'reported comment': async (scene) => flagged(scene, flaggableComment, await comment(scene, 'A tram')),
  'reported post': async (scene) => flagged(scene, flaggablePost, await post(scene, 'A tram')),
  'comment that was reported and is held since': async (scene) => {
    const subject = await flagged(scene, flaggableComment, await comment(scene, 'A tram'))
    await editComment(app(scene.authorId), { commentId: subject.subjectId, data: { text: `A boat ${scene.word}` } })
    return subject
  },
  'reported message': async (scene) => {
    const { messageId } = await make.message({ channelId: scene.channelId, userId: scene.authorId })
    return flagged(scene, flaggableMessage, messageId)
  },
  'reported person': async (scene) => flagged(scene, flaggableUser, scene.authorId),
  'reported person of higher rank': async (scene) => {
    const roleId = `role-${randomUUID()}`
    scene.authorRank = 800
    await prisma.role.create({ data: { roleId, scope: 'network', rank: scene.authorRank, permissions: [] } })
    await prisma.user.update({ where: { userId: scene.authorId }, data: { roles: [roleId] } })
    return flagged(scene, flaggableUser, scene.authorId)
  },
  'comment that rules reject': async (scene) => ({
    subjectType: 'comment',
    subjectId: await comment(scene, 'A ferry'),
  }),
  'post that rules reject': async (scene) => ({ subjectType: 'post', subjectId: await post(scene, 'A ferry') }),
  'message that rules reject': async ({ authorId, channelId }) => {
    const { internalId } = await prisma.channel.findUniqueOrThrow({ where: { channelId } })
    const input = { messageFeedId: internalId, data: { text: 'A ferry' } }
    return { subjectType: 'message', subjectId: await writtenMessage(app(authorId), input) }
  },
  'comment that was approved': async (scene) => approved('comment', await comment(scene, 'A boat')),
  'post that was approved': async (scene) => approved('post', await post(scene, 'A boat')),
}

async function approved(subjectType: 'comment' | 'post', subjectId: string): Promise<Subject> {
  await decide(admin, { subjectType, subjectId, outcome: 'approved' })
  return { subjectType, subjectId }
}

const minutes = 60 * 24
/** The admin is a caller too: their colleague's claim is also their own. As a held item and as a report, where it is one. */
const byAdmin = (act: (item: PendingItem) => Promise<unknown>) => async (_: Scene, subject: Subject) => {
  const done = [await succeeds(() => act(subject)), await succeeds(() => act({ ...subject, kind: 'reported' }))]
  expect(done).toContain(true)
}

const STATES: Record<string, (scene: Scene, subject: Subject) => Promise<unknown>> = {
  'as it is': async () => {},
  'its author is being erased': ({ authorId }) => erasePerson(admin, { userId: authorId, confirmation: authorId }),
  'its author is erased': async ({ authorId }) => {
    await erasePerson(admin, { userId: authorId, confirmation: authorId })
    while ((await eraseContent(systemCtx(database), authorId)) > 0);
  },
  'its author is banned from the space': async ({ authorId, communityId, channelId }) => {
    const spaces = [
      { scope: 'community', communityId },
      { scope: 'channel', channelId },
    ] as const
    for (const space of spaces) await banPerson(admin, { userId: authorId, space, minutes })
  },
  'its author is banned from the network': ({ authorId }) =>
    banPerson(admin, { userId: authorId, space: { scope: 'network' }, minutes }),
  'its post is deleted': ({ ownerId, postId }) => deletePost(app(ownerId), { postId, permanent: false }),
  'its post is deleted permanently': ({ ownerId, postId }) => deletePost(app(ownerId), { postId, permanent: true }),
  'its post is declined': async ({ postId }) => {
    const { version } = await prisma.post.findUniqueOrThrow({ where: { postId } })
    await reverseDecision(admin, { subjectType: 'post', subjectId: postId, version })
  },
  'its community is deleted': ({ communityId }) => deleteCommunity(admin, { communityId }),
  'its channel is deleted': ({ channelId }) => deleteChannel(admin, { channelId }),
  'its channel is a conversation': ({ channelId }) =>
    prisma.channel.update({ where: { channelId }, data: { type: 'conversation' } }),
  'its author deletes it': ({ authorId }, subject) => remove(app(authorId), subject),
  'an admin deletes it': (_, subject) => remove(admin, subject),
  'its author edits it': ({ authorId, word }, { subjectType, subjectId }) => {
    const data = { text: `Another boat ${word}` }
    if (subjectType === 'comment') return editComment(app(authorId), { commentId: subjectId, data })
    if (subjectType === 'post') return editPost(app(authorId), { postId: subjectId, data })
    return Promise.resolve()
  },
  'an admin claims it': byAdmin((item) => claim(admin, item)),
  'an admin escalates and claims it': byAdmin(async (item) => {
    await escalate(admin, { ...item, note: 'Look at this' })
    await claim(admin, item)
  }),
  'an admin claims it, and its community is deleted': async (scene, subject) => {
    await byAdmin((item) => claim(admin, item))(scene, subject)
    await deleteCommunity(admin, scene)
  },
  'its author leaves': async ({ authorId, communityId, channelId }) => {
    await prisma.communityUser.updateMany({ where: { communityId, userId: authorId }, data: { membership: 'none' } })
    await prisma.channelUser.updateMany({ where: { channelId, userId: authorId }, data: { membership: 'none' } })
  },
}

function remove(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<unknown> {
  const permanent = false
  if (subjectType === 'comment') return deleteComment(ctx, { commentId: subjectId, permanent })
  if (subjectType === 'post') return deletePost(ctx, { postId: subjectId, permanent })
  if (subjectType === 'message') return deleteMessage(ctx, { messageId: subjectId, permanent })
  return Promise.resolve()
}

/** The lists of the desk, by name. The tabs are counted together. */
const LISTS = ({ word, authorId }: Scene): Record<string, object> => ({
  ...Object.fromEntries(QueueView.options.map((view) => [view, { view }])),
  search: { text: word },
  'of its author': { authorId },
  'named queue': { queueId },
})

async function every(ctx: Ctx, filter: object = {}): Promise<QueueItem[]> {
  const found: QueueItem[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await listDeskQueue(ctx, DeskQueueInput.parse({ ...filter, limit: 100, ...(cursor && { cursor }) }))
    found.push(...page.items)
    if (page.next === undefined) return found
    cursor = page.next
  }
}

async function tabsOf(ctx: Ctx): Promise<Record<QueueView, number>> {
  const { total, mine, escalated, reported } = await countQueue(ctx)
  return { waiting: total, mine, escalated, reported }
}

const isIt = (one: QueueItem, { subjectType, subjectId }: Subject) =>
  one.subjectType === subjectType && one.subjectId === subjectId

/** What the caller's lists show of the item, and the faults of their counts. */
async function look(
  ctx: Ctx,
  scene: Scene,
  subject: Subject,
): Promise<{ shown: Map<string, QueueItem>; faults: string[] }> {
  const lists = Object.entries(LISTS(scene))
  const [listed, tabs, counted, filtered] = await Promise.all([
    Promise.all(lists.map(async ([name, filter]) => [name, await every(ctx, filter)] as const)),
    tabsOf(ctx),
    countViews(ctx),
    Promise.all(lists.slice(4).map(([, filter]) => countMatching(ctx, DeskFilter.parse(filter)))),
  ])
  const viewCounts = counted.map(({ viewId, count }) => [`${VIEWS.get(viewId)}`, count] as const)
  const counts = [
    ...Object.entries(tabs),
    ['search', filtered[0]?.count],
    ['of its author', filtered[1]?.count],
    ['named queue', filtered[2]?.count],
    ...viewCounts,
  ]
  const lengths = new Map(listed.map(([name, { length }]) => [name, length]))
  const faults = counts.flatMap(([name, count]) =>
    count === lengths.get(`${name}`) ? [] : [`${name}: counts ${count}, lists ${lengths.get(`${name}`)}`],
  )
  return {
    faults,
    shown: new Map(
      listed.flatMap(([name, items]) => items.filter((one) => isIt(one, subject)).map((it) => [name, it] as const)),
    ),
  }
}

const succeeds = async (act: () => Promise<unknown>): Promise<boolean> =>
  (await orRefused(async () => ({ answer: await act() }))) !== undefined

async function orRefused<Answer>(act: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}

const isOfReport = (outcome: Outcome) => outcome === 'dismissed' || outcome === 'deleted'

/** One's own, and people of higher rank: shown, so that one knows of them, but the desk says that others decide. */
function isForOthers({ actor }: Ctx, { authorId, authorRank }: Scene, { subjectType }: Subject): boolean {
  if ('userId' in actor && actor.userId === authorId) return true
  return subjectType === 'user' && 'rank' in actor && actor.rank <= authorRank
}

/** What is wrong between the caller's lists and acts, in words. */
async function faultsOf(ctx: Ctx, scene: Scene, subject: Subject): Promise<string[]> {
  const { shown, faults } = await look(ctx, scene, subject)
  const allowed = new Set([...shown.values()].flatMap((item) => item.allowed))
  if (shown.size > 0 && allowed.size === 0 && !isForOthers(ctx, scene, subject)) faults.push('nothing is allowed on it')
  const isShownAs = (kind: ItemKind) => [...allowed].some((outcome) => isOfReport(outcome) === (kind === 'reported'))
  for (const outcome of Outcome.options) {
    if (allowed.has(outcome)) faults.push(...(await faultsOfSettling({ ctx, scene, subject, shown }, outcome)))
    else if (await succeeds(() => decide(ctx, { ...subject, outcome })))
      faults.push(`${outcome} though it isn't allowed`)
  }
  for (const kind of ItemKind.options) {
    if (isShownAs(kind)) continue
    const item = { ...subject, kind }
    if (await succeeds(() => claim(ctx, item))) faults.push("claimed though it isn't shown")
    if (await succeeds(() => escalate(ctx, { ...item, note: 'Look at this' })))
      faults.push("escalated though it isn't shown")
  }
  faults.push(...(await faultsOfHistory(ctx, subject)), ...(await faultsOfApp(ctx, scene, subject)))
  return faults.map((fault) => `${fault}; shown in ${[...shown.keys()].join(', ') || 'no list'}`)
}

const IN_HISTORY = { isRestorable: restoreRejected, isReversible: reverseDecision } as const

/** What its page offers once it is decided, and what its author's earlier decisions do: each is done, and undone. */
async function faultsOfHistory(ctx: Ctx, subject: Subject): Promise<string[]> {
  const faults: string[] = []
  for (const name of ['isRestorable', 'isReversible'] as const) {
    const page = await orRefused(() => readItem(ctx, subject))
    const isOffered = page?.decided?.[name] ?? false
    const version = page?.item.version ?? (await versionOf(subject))
    const latest = page?.author.decisions.latest.filter((one) => one.subjectId === subject.subjectId) ?? []
    const done = await orRefused(() => IN_HISTORY[name](ctx, { ...subject, version }))
    if ((done !== undefined) !== isOffered) faults.push(`${name} is ${isOffered}, which isn't so`)
    if (name === 'isReversible' && latest.some((one) => one.isReversible) !== (isOffered && latest.length > 0))
      faults.push(`the author's decisions don't say that isReversible is ${isOffered}`)
    if (done && !(await succeeds(() => undoDecision(ctx, done)))) faults.push(`${name} can't be undone`)
  }
  return faults
}

async function versionOf({ subjectType, subjectId }: Subject): Promise<number> {
  if (subjectType === 'comment')
    return (await prisma.comment.findUnique({ where: { commentId: subjectId } }))?.version ?? 1
  if (subjectType === 'post') return (await prisma.post.findUnique({ where: { postId: subjectId } }))?.version ?? 1
  return 1
}

/** The queue as apps read it, and what they decide, claimed by others or not. */
async function faultsOfApp(ctx: Ctx, { communityId, authorId }: Scene, subject: Subject): Promise<string[]> {
  if (subject.subjectType !== 'comment') return []
  const [rest, commentId] = [{ ...ctx, source: 'rest' } as const, subject.subjectId]
  const query = ReviewQueueQuery.parse({ options: { limit: 100 } })
  const faults: string[] = []
  for (const outcome of ['approved', 'rejected'] as const) {
    const page = await orRefused(() => listReviewQueue(rest, { ...query, communityId }))
    const isListed = page?.comments.some((one) => one.commentId === commentId) ?? false
    const isOwn = 'userId' in ctx.actor && ctx.actor.userId === authorId
    const isDone = await succeeds(() => decideComment(rest, { commentId, outcome }))
    if (isDone !== (isListed && !isOwn)) faults.push(`apps ${isListed ? "can't" : 'can'} make it ${outcome}`)
    if (!isDone) continue
    const { decisionId } = await prisma.decision.findFirstOrThrow({
      where: { subjectId: commentId },
      orderBy: { decisionId: 'desc' },
    })
    await undoDecision(rest, { decisionId: `${decisionId}` })
  }
  return faults
}

interface Settling {
  ctx: Ctx
  scene: Scene
  subject: Subject
  /** The lists that show it; with its new versions afterwards. */
  shown: Map<string, QueueItem>
}

/** Settles it by an act that the lists allow, and undoes that. */
async function faultsOfSettling({ ctx, scene, subject, shown }: Settling, outcome: Outcome): Promise<string[]> {
  const where = [...shown].filter(([, item]) => item.allowed.includes(outcome))
  const [version, by] = [where[0]?.[1].version, where[0]?.[1].claim?.by.userId]
  const read = await readItem(ctx, { ...subject, isReported: isOfReport(outcome) }).catch(() => undefined)
  const faults = read?.item.allowed.includes(outcome) ? [] : [`${outcome} isn't allowed on its page`]
  const decided = await decide(ctx, { ...subject, outcome, version, despiteClaimOf: by }).catch(String)
  if (typeof decided === 'string') return [...faults, `${outcome} fails: ${decided}`]

  const counts = new Map<string, number>(Object.entries(await tabsOf(ctx)))
  for (const [name] of where) {
    const left = await every(ctx, LISTS(scene)[name])
    if ((counts.get(name) ?? left.length) !== left.length) faults.push(`${name} has another count once ${outcome}`)
    if (left.some((one) => isIt(one, subject) && one.allowed.includes(outcome))) faults.push(`${name} still has it`)
  }
  await undoDecision(ctx, { decisionId: decided.decisionId })
  for (const name of shown.keys()) {
    const again = (await every(ctx, LISTS(scene)[name])).find((one) => isIt(one, subject))
    if (again) shown.set(name, again)
    else faults.push(`${name} hasn't got it back once ${outcome} is undone`)
  }
  return faults
}

/** What a state needs of an item to change anything. */
const OF: Record<string, RegExp> = {
  post: /comment/,
  community: /comment|post/,
  channel: /message/,
  edits: /^(?!.*reject).*(comment|post)/,
  claims: /held|reported/,
  deletes: /comment|post|message/,
  leaves: /comment|message/,
}
const isOf = (item: string, state: string) =>
  Object.entries(OF).every(([word, items]) => !new RegExp(`\\b${word}\\b`).test(state) || items.test(item))
const CASES = Object.keys(ITEMS).flatMap((item) =>
  Object.keys(STATES).flatMap((state) => (isOf(item, state) ? [[item, state] as const] : [])),
)

/** Who decides most; what concerns where an item is, is read by every caller. */
const REVIEWERS = ['community moderator', 'channel moderator', 'admin']
const SCOPES = /as it is|community|channel|being erased/
/** Of some 150: all of them are read in the stress run. */
const DAILY = 20

test.each(sampled(CASES, DAILY))('a list and its acts agree on a %s, when %s', async (item, state) => {
  const there = await scene()
  const subject = await ITEMS[item]?.(there)
  if (!subject) throw new Error('no such item')
  await STATES[state]?.(there, subject)
  const faults: string[] = []
  for (const [who, ctx] of Object.entries(there.callers).filter(
    ([who]) => SCOPES.test(state) || REVIEWERS.includes(who),
  ))
    for (const fault of await faultsOf(ctx, there, subject)) faults.push(`${who}: ${fault}`)
  expect(faults).toEqual([])
})
