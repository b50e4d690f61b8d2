import { randomUUID } from 'node:crypto'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { issueAdminToken, issueKey } from '#server/modules/accounts/access/manage-credentials.ts'
import { inviteStaff } from '#server/modules/accounts/staff/invite.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals, SIGNALS_A_CALL } from '#server/modules/content/signals/schema.ts'
import { muteDeskMembers } from '#server/modules/desk/spaces/member-acts.ts'
import { loadSample } from '#server/modules/integrations/imports/load-sample.ts'
import { updateModerationSettings } from '#server/modules/network/settings/update-moderation-settings.ts'
import { addRules } from '#server/modules/network/word-lists/add-rules.ts'
import { writeNote } from '#server/modules/people/notes/notes.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { saveView } from '#server/modules/review/views/save-view.ts'
import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { writtenComment } from '#server/testing/rules-on.ts'
import { makeSample } from '../../prisma/sample/sample.ts'

const PASSWORD = 'a-password-for-screens'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface Account {
  email: string
  password: string
}

/** The accounts that can sign in. */
export interface Cast {
  admin: Account
  moderator: Account
  /** Another moderator, Noor Rahman. */
  colleague: Account
  /** Reviews a community without pending items. */
  idle: Account
}

/** Fills an empty database with the sample data and a morning's work on it. */
export async function setStage(database: Database): Promise<Cast> {
  const accounts = await loadSample(systemCtx(database), makeSample)
  const [admin, sampled] = ['Network admin', 'Community moderator'].map((wanted) =>
    accounts.find(({ title }) => title === wanted),
  )
  if (!admin || !sampled) throw new Error('The sample was there already')
  const moderator = await actorOf(database, sampled)
  for (const communityId of ['slow-loaf', 'late-show']) await makeModerator(database, moderator.userId, communityId)
  const colleague = await makeAccount(database, { name: 'Noor Rahman', communityId: 'harbour-town' })
  await factoriesOf(database).community({ communityId: 'pier-swimmers', displayName: 'Pier Swimmers' })
  const idle = await makeAccount(database, { name: 'Ingrid Vale', communityId: 'pier-swimmers' })

  const noor = await actorOf(database, colleague)
  await monthOf(database, [noor, moderator])
  await workOf(database, noor, moderator.userId)
  await saveViews(ctxOf(database, moderator))
  await draftRule(ctxOf(database, moderator), [moderator.userId, noor.userId])
  await offerPlaces(database)
  await scoreComments(database)
  await startLateShowRules(database, moderator)
  await banPerson(ctxOf(database, moderator), {
    userId: 'oscar-blum',
    space: { scope: 'community', communityId: 'late-show' },
    minutes: 7 * 24 * 60,
    reason: 'Spoilers, after two warnings',
  })
  await muteDeskMembers(ctxOf(database, moderator), {
    space: { scope: 'community', communityId: 'late-show' },
    userIds: ['best-deals-24'],
    minutes: 7 * 24 * 60,
    reason: 'Advertises under every post',
  })
  await attachPicture(database, await waitingId(database, 'chakalaka'))
  await banFromHarbour(database, moderator.userId)
  const { userId } = await actorOf(database, admin)
  await letOthersIn(ctxOf(database, await actorOfStaff(database.pool, userId)))
  return { admin, moderator: sampled, colleague, idle }
}

/** Bans a member from a channel until lifted. */
async function banFromHarbour({ prisma }: Database, by: string): Promise<void> {
  const channelId = 'harbour-watch'
  const userId = 'oscar-blum'
  const createdAt = new Date(Date.now() - 2 * DAY_MS)
  await prisma.channelUser.upsert({
    where: { channelId_userId: { channelId, userId } },
    create: { channelId, userId, membership: 'banned' },
    update: { membership: 'banned', roles: [] },
  })
  const ban = { scope: 'channel' as const, channelId, userId, bannedBy: by, createdAt }
  await prisma.ban.create({ data: { ...ban, reason: 'off topic after two warnings' } })
}

/** Creates an invite, a key and a token. */
async function letOthersIn(ctx: Ctx): Promise<void> {
  await inviteStaff(ctx, { email: 'mika@docket.example', name: 'Mika Salo', roleId: 'moderator' })
  await issueKey(ctx, { name: 'Harbour app', allows: ['sessions'] })
  await issueKey(ctx, { name: 'Our backend', allows: ['server'] })
  await issueAdminToken(ctx, { name: 'Nightly export', roleId: 'support', hours: 90 * 24 })
}

/** The `comment:ID` of a pending comment, by words in it. */
export async function itemOf(database: Database, words: string): Promise<string> {
  return `comment:${await waitingId(database, words)}`
}

/** The `comment:ID` of a comment in any state, by words in it. */
export async function writtenItemOf({ prisma }: Database, words: string): Promise<string> {
  const { commentId } = await prisma.comment.findFirstOrThrow({
    where: { data: { path: ['text'], string_contains: words } },
  })
  return `comment:${commentId}`
}

/** The colleague rejects it, and undoes that after `whileShown`. */
export async function rejectedElsewhere(
  database: Database,
  { words, by, whileShown }: { words: string; by: Account; whileShown: () => Promise<void> },
): Promise<void> {
  const ctx = ctxOf(database, await actorOf(database, by))
  const subjectId = await waitingId(database, words)
  const { decisionId } = await decide(ctx, { subjectType: 'comment', subjectId, outcome: 'rejected' })
  await whileShown()
  await undoDecision(ctx, { decisionId })
}

async function waitingId({ prisma }: Database, words: string): Promise<string> {
  const { commentId } = await prisma.comment.findFirstOrThrow({
    where: { approvalStatus: 'pending', data: { path: ['text'], string_contains: words } },
  })
  return commentId
}

async function actorOf({ prisma }: Database, { email }: Account): Promise<Actor & { kind: 'user' }> {
  const { networkUserId, name } = await prisma.staffAccount.findUniqueOrThrow({ where: { email } })
  if (networkUserId === null) throw new Error(`${name} is nobody on the network`)
  return { kind: 'user', userId: networkUserId, name }
}

async function makeAccount(
  database: Database,
  { name, communityId }: { name: string; communityId: string },
): Promise<Account> {
  const account = { email: `${randomUUID()}@docket.example`, password: PASSWORD }
  await createStaff(systemCtx(database), { ...account, name, roleId: 'community-moderator', communityId })
  return account
}

async function makeModerator({ prisma }: Database, userId: string, communityId: string): Promise<void> {
  const roles = ['community-moderator']
  await prisma.communityUser.create({ data: { communityId, userId, membership: 'member', roles } })
  await prisma.tallyDelta.create({ data: { kind: 'community_members', subjectId: communityId, delta: 1 } })
}

const DAYS = 28
const A_DAY = 14
const COMMUNITIES = ['harbour-town', 'harbour-town', 'slow-loaf', 'late-show']
const REMARKS = ['Is the ferry running on Sunday?', 'Mine rose overnight, thank you.', 'The second half drags.']

/** Four weeks with some fourteen held items per day, decided by the two, more slowly at weekends. */
async function monthOf(database: Database, moderators: (Actor & { kind: 'user' })[]): Promise<void> {
  const make = factoriesOf(database)
  const { userId } = await make.user({ displayName: 'Ferry Spotter' })
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let index = 0; index < DAYS * A_DAY; index += 1) {
    const daysAgo = DAYS - Math.floor(index / A_DAY)
    const heldAt = new Date(today - daysAgo * DAY_MS + 8 * HOUR_MS + (index % A_DAY) * 40 * 60_000)
    const isWeekend = [0, 6].includes(heldAt.getUTCDay())
    if (isWeekend && index % 3 === 0) continue
    const communityId = COMMUNITIES[index % COMMUNITIES.length] ?? ''
    const moderator = communityId === 'harbour-town' ? moderators[index % 2] : moderators[1]
    if (!moderator) throw new Error('there are two')
    const { commentId: subjectId } = await make.heldComment({
      communityId,
      userId,
      data: { text: REMARKS[index % REMARKS.length] },
      createdAt: heldAt,
    })
    const decidedAt = heldAt.getTime() + (isWeekend ? 3 : 1) * (8 + ((index * 37) % 96)) * 60_000
    const ctx = ctxOf(database, moderator, { now: () => new Date(decidedAt), undoWindowMs: 0 })
    await decide(ctx, { subjectType: 'comment', subjectId, outcome: index % 5 === 0 ? 'rejected' : 'approved' })
  }
}

/** The colleague's earlier work: many decisions about one author, a note, and an escalation. */
async function workOf(database: Database, colleague: Actor, handTo: string): Promise<void> {
  const ctx = ctxOf(database, colleague)
  await judgeOften(database, 'oscar-blum', colleague)
  await writeNote(ctx, {
    aboutUserId: 'oscar-blum',
    communityId: 'harbour-town',
    text: 'Argues to be argued with. Stops when asked by name.',
  })
  await escalate(ctx, {
    subjectType: 'comment',
    subjectId: await waitingId(database, 'putting down poison'),
    note: 'A crime, if it is so. Do we call the harbour police before this goes up?',
    handTo,
  })
}

/** The oldest first. */
const JUDGED = [
  ['approved', 'The bins on the quay were emptied today, for once. Credit where it is due.'],
  ['approved', 'Parking costs more here than in the capital, look it up.'],
  ['rejected', 'Anyone who votes for this needs their head examined.'],
  ['approved', 'Who decided on the new benches, and did anyone sit on one first?'],
  ['approved', 'The fog horn again, at four. I know it is for safety. I am only saying.'],
  ['approved', 'Good concert on Sunday.'],
  ['approved', 'The crossing by the school has no light since Monday.'],
  ['rejected', 'You would not understand it if I drew you a picture.'],
  ['approved', 'I stand by what I said about the cyclists, but I could have said it better.'],
  ['approved', 'The library is open late on Thursdays, by the way.'],
  ['rejected', 'Typical. Move somewhere else if you do not like it.'],
  ['approved', 'Found a red scarf on the pier, it hangs on the third post.'],
] as const

async function judgeOften(database: Database, userId: string, by: Actor): Promise<void> {
  const make = factoriesOf(database)
  for (const [index, [outcome, text]] of JUDGED.entries()) {
    const createdAt = new Date(Date.now() - (3 * (JUDGED.length - index) + 2) * DAY_MS)
    const { commentId } = await make.heldComment({ communityId: 'harbour-town', userId, createdAt, data: { text } })
    const then = ctxOf(database, by, { now: () => new Date(createdAt.getTime() + HOUR_MS), undoWindowMs: 0 })
    await decide(then, { subjectType: 'comment', subjectId: commentId, outcome })
  }
}

const PLACES = ['ten', 'nine', 'eight', 'seven', 'six', 'five']

/** One offer in several wordings, each by an account of its own. */
async function offerPlaces(database: Database): Promise<void> {
  const make = factoriesOf(database)
  for (const places of PLACES) {
    const { userId } = await make.user({ displayName: `Baking Course ${places}` })
    await make.member({ communityId: 'slow-loaf', userId })
    const text = `Only ${places} places left in my online baking course, join today: https://courses.example/${places}`
    const comment = { referenceType: 'post', referenceId: 'slow-loaf-starter', data: { text } }
    await writtenComment(ctxOf(database, asUser(userId), { source: 'rest' }), comment)
  }
}

/** A rule that its owner hasn't started yet, and the queue that it sends to. */
async function draftRule(ctx: Ctx, memberIds: string[]): Promise<void> {
  const communityId = 'harbour-town'
  const { queueId } = await createNamedQueue(ctx, { communityId, name: 'Heated threads', memberIds })
  const condition = { kind: 'signal', name: 'toxicity', atLeast: 0.8 }
  const action = { type: 'hold', queueId }
  await createRule(
    ctx,
    NewRule.parse({ communityId, name: 'Rude, by the classifier', kinds: ['comment'], condition, action }),
  )
}

/** A rule that rejects and one that reports, in a community where nothing else holds comments, with what each found. */
async function startLateShowRules(database: Database, moderator: Actor): Promise<void> {
  const ctx = ctxOf(database, moderator)
  const start = async (rule: object) => {
    const made = await createRule(ctx, NewRule.parse({ communityId: 'late-show', kinds: ['comment'], ...rule }))
    await setRuleState(ctx, { ...made, state: 'live' })
  }
  await start({
    name: 'Wallets and coins',
    condition: { kind: 'words', words: ['wallet', 'coin launch'] },
    action: { type: 'reject', muteMinutes: 24 * 60 },
  })
  await start({
    name: 'How it ends',
    condition: { kind: 'words', words: ['in the last scene', 'the twist is'] },
    action: { type: 'flag', label: 'Spoiler?' },
  })
  const post = { referenceType: 'post', referenceId: 'late-show-next-season' }
  const write = (userId: string, text: string) =>
    writtenComment(ctxOf(database, asUser(userId), { source: 'rest' }), { ...post, data: { text } })
  await write('crypto-kevin', 'Forget the film, open your w a l l e t tonight and I will send you double by Friday.')
  await write(
    'mei-lin-chen',
    'Saw it in the city last week. She leaves on the boat in the last scene, and nobody claps.',
  )
}

/** The scores of some pending comments in Harbour Town, by words in them. */
const PENDING_SCORES = {
  'get a hobby': 0.91,
  'private barbecue': 0.83,
  'They paint the pier': 0.74,
  'pay for your boat': 0.61,
  'WHY TAKE THE FERRY': 0.58,
  'I did say please': 0.22,
}

/** A score of some pending comments and each decided one in Harbour Town, higher for what was rejected. */
async function scoreComments(database: Database): Promise<void> {
  const decided = await database.prisma.comment.findMany({
    where: { communityId: 'harbour-town', approvalStatus: { in: ['approved', 'rejected'] } },
    orderBy: { commentId: 'asc' },
  })
  const signals = decided.map(({ commentId: id, approvalStatus }, index) => {
    const spread = ((index * 37) % 100) / 100
    const score = approvalStatus === 'rejected' ? 1 - spread ** 2 / 1.5 : spread ** 2 * 0.8
    return { type: 'comment', id, name: 'toxicity', score, modelVersion: 'harbour-2' }
  })
  for (const [words, score] of Object.entries(PENDING_SCORES)) {
    const id = await waitingId(database, words)
    signals.push({ type: 'comment', id, name: 'toxicity', score, modelVersion: 'harbour-2' })
  }
  const ctx = ctxOf(database, asAdmin())
  for (let first = 0; first < signals.length; first += SIGNALS_A_CALL)
    await recordSignals(ctx, NewSignals.parse({ signals: signals.slice(first, first + SIGNALS_A_CALL) }))
}

async function saveViews(ctx: Ctx): Promise<void> {
  await saveView(ctx, {
    name: 'Past the target',
    isShared: true,
    filters: { view: 'waiting', heldForMinutes: 240, order: 'oldest', timeZone: 'UTC' },
  })
  await saveView(ctx, {
    name: 'About the ferry',
    isShared: false,
    filters: { view: 'waiting', text: 'boat', order: 'newest', timeZone: 'UTC' },
  })
}

async function attachPicture({ prisma }: Database, commentId: string): Promise<void> {
  const { fileId } = await prisma.file.create({
    data: {
      fileId: 'chakalaka-pot',
      type: 'image',
      fileUrl: 'https://harbour-town.example/chakalaka.jpg',
      altText: 'A pot on a stove',
      attributes: {
        name: 'chakalaka.jpg',
        extension: 'jpg',
        mimeType: 'image/jpeg',
        size: 240_128,
        metadata: { width: 1204, height: 800 },
      },
    },
  })
  await prisma.comment.update({
    where: { commentId },
    data: { dataTypes: ['text', 'image'], attachments: [{ type: 'image', fileId }] },
  })
}

/** The outcomes of deliveries, latest first. */
const ENDS = [
  { state: 'delivered', status: 200 },
  { state: 'failed', status: 503, problem: 'status', answer: 'upstream connect error or disconnect before headers' },
  { state: 'delivered', status: 200 },
  { state: 'skipped', problem: 'timeout' },
  { state: 'delivered', status: 204 },
] as const

/** Two endpoints: one switched off after failures, one whose deliveries have different outcomes. */
export async function deliverSomething({ prisma }: Database): Promise<void> {
  await prisma.delivery.deleteMany()
  await prisma.webhookEndpoint.deleteMany()
  const now = Date.now()
  const events = ['v3.comment.didApprove', 'v3.comment.didDelete']
  const own = { secret: new Uint8Array(), createdAt: new Date(now - 9 * DAY_MS) }
  const { endpointId } = await prisma.webhookEndpoint.create({
    data: {
      ...own,
      url: 'https://archive.harbour-town.example/docket',
      description: 'The archive of decisions',
      events,
    },
  })
  await prisma.webhookEndpoint.create({
    data: {
      ...own,
      url: 'https://old.harbour-town.example/hooks',
      createdAt: new Date(now - 8 * DAY_MS),
      disabledAt: new Date(now - DAY_MS),
      disabledReason: 'failing',
    },
  })
  const latest = await prisma.event.findMany({
    where: { name: { in: events }, seq: { not: null } },
    orderBy: { seq: 'desc' },
    take: ENDS.length,
  })
  for (const [index, { seq, name: eventName, subjectType, subjectId }] of latest.entries()) {
    const { state = 'delivered', ...outcome } = ENDS[index] ?? {}
    const at = new Date(now - (index + 1) * 11 * 60_000)
    const deliveryId = randomUUID()
    await prisma.delivery.create({
      data: {
        deliveryId,
        endpointId,
        eventSeq: seq ?? 0n,
        eventName,
        subjectType,
        subjectId,
        state,
        tries: 1,
        createdAt: at,
        finishedAt: at,
        queuedAt: at,
      },
    })
    await prisma.deliveryTry.create({
      data: { deliveryId, number: 1, isLast: true, startedAt: at, durationMs: 38 + index, ...outcome },
    })
  }
}

/** Three classifiers: one that fails, one that works, one that is off. */
export async function keepClassifiers({ prisma }: Database): Promise<void> {
  await prisma.classifier.deleteMany()
  const now = Date.now()
  const own = {
    secret: new Uint8Array(),
    deadlineMs: 2_000,
    batchSize: 10,
    readTo: 10n ** 15n,
    updatedAt: new Date(now),
  }
  const of = (name: string, daysAgo: number) => ({
    ...own,
    name,
    url: `https://${name.toLowerCase()}.harbour-town.example/scores`,
    kinds: ['comment' as const, 'post' as const],
    createdAt: new Date(now - daysAgo * DAY_MS),
    lastAnsweredAt: new Date(now - 3 * 60_000),
    recentMs: [71, 84, 112],
  })
  await prisma.classifier.create({ data: { ...of('Toxicity', 40), answered: 128_402n, failed: 12n } })
  const failing = {
    failures: 14,
    openedAt: new Date(now - 4 * 60_000),
    probeAt: new Date(now + HOUR_MS),
    lastStatus: 503,
  }
  await prisma.classifier.create({
    data: {
      ...of('Spam', 12),
      ...failing,
      answered: 9_310n,
      lastFailedAt: new Date(now - 60_000),
      lastProblem: 'status',
    },
  })
  await prisma.classifier.create({ data: { ...of('Images', 5), disabledAt: new Date(now - DAY_MS) } })
}

/** Both flags on, with rules on both lists. */
export async function keepLists(database: Database, by: Account): Promise<void> {
  const { userId } = await actorOf(database, by)
  const ctx = ctxOf(database, { ...asAdmin(['MANAGE_NETWORK_SETTINGS']), userId } as Actor)
  const common = { isMatchExactWord: false, category: 'content' } as const
  const sites = [String.raw`(?:[\w-]+\.)*harbour\-town\.example`, String.raw`tide\-tables\.example`]
  await addRules(ctx, { ...common, list: 'allow', regexs: sites })
  await addRules(ctx, { ...common, list: 'block', regexs: ['watches'], isMatchExactWord: true })
  await addRules(ctx, { ...common, list: 'block', regexs: ['t[e3]legr[a4]m'] })
  await updateModerationSettings(ctx, { isWhitelistEnabled: true, isReportEnabled: true })
}
