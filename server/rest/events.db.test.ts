import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { createPost } from '#server/modules/content/posts/create-post.ts'
import { NewPost } from '#server/modules/content/posts/schema.ts'
import { removeMessage } from '#server/modules/desk/messages/remove-message.ts'
import {
  addDeskMembers,
  addDeskRole,
  banDeskMembers,
  banDeskMembersAgain,
  removeDeskMembers,
  removeDeskRole,
  restoreDeskMembers,
  unbanDeskMembers,
} from '#server/modules/desk/spaces/member-acts.ts'
import { setCommunity } from '#server/modules/desk/spaces/read-community.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { webhookSchema } from '#server/modules/integrations/webhooks/payloads.ts'
import { testEndpoint } from '#server/modules/integrations/webhooks/test-endpoint.ts'
import { EVENT_NAMES, NAMED_EVENTS } from '#server/modules/ledger/events/schema.ts'
import { readModerationSettings } from '#server/modules/network/settings/read-settings.ts'
import { updateModerationSettings } from '#server/modules/network/settings/update-moderation-settings.ts'
import { issueStatements } from '#server/modules/network/statements/issue-statements.ts'
import { erasePerson } from '#server/modules/people/erase-person.ts'
import { appeal } from '#server/modules/review/appeals/appeal.ts'
import { decideAppeal } from '#server/modules/review/appeals/decide-appeal.ts'
import { decide, restoreRejected, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { CALLERS, STANDINGS } from '#server/testing/callers.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { rejectedByRule } from '#server/testing/rejected-by-rule.ts'
import type { Row } from '#server/testing/routes/row.ts'
import { ROWS } from '#server/testing/routes/rows.ts'
import { makeScenes, type Scene } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { appRouter } from '#server/trpc/root.ts'

const { database } = await testDatabase()
const api = await tableApi(database)

const body = z.fromJSONSchema(webhookSchema())
const nothingElse = z.fromJSONSchema(Object(closed(webhookSchema())))

/** A copy of the schema, with objects limited to the described fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const within = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in schema ? { ...within, additionalProperties: false } : within
}

/** The caller: a REST route, or an act at the desk. */
const tellers = new Map<string, { rest: Set<string>; desk: Set<string> }>(
  EVENT_NAMES.map((name) => [name, { rest: new Set(), desk: new Set() }]),
)

let seen = 0n

/** The events published since, each validated against the published schema, to the last field. */
async function publishedSince(): Promise<{ name: string; isHeld: boolean }[]> {
  const events = await database.prisma.event.findMany({ where: { eventId: { gt: seen } }, orderBy: { eventId: 'asc' } })
  seen = events.at(-1)?.eventId ?? seen
  return events
    .filter(({ isDeskOnly }) => !isDeskOnly)
    .map(({ name, payload, state }) => {
      const sent = { event: name, data: payload }
      expect(body.safeParse(sent)).toMatchObject({ success: true })
      expect(nothingElse.safeParse(sent)).toMatchObject({ success: true })
      return { name, isHeld: state === 'held' }
    })
}

/** Setup that these need to change something. */
const BEFORE: Record<string, string> = {
  'DELETE /api/v3/comments/{commentId}/unflag': 'POST /api/v3/comments/{commentId}/flag',
  'DELETE /api/v3/posts/{postId}/unflag': 'POST /api/v3/posts/{postId}/flag',
  'DELETE /api/v5/messages/{messageId}/flags': 'POST /api/v5/messages/{messageId}/flags',
  'DELETE /api/v3/messages/{messageId}/unflag': 'POST /api/v3/messages/{messageId}/flag',
  'DELETE /api/v4/me/flags/{userId}': 'POST /api/v4/me/flags/{userId}',
}

/** Some routes publish other events too, or only if something changes. */
const ALSO: Row[] = [
  { ...like('POST /api/v4/communities/{communityId}/join'), about: 'where one has to ask,' },
  like('PUT /api/v3/users', ({ memberId }) => ({
    body: { userId: `new-${memberId}`.slice(0, 50), displayName: 'New', createNewUserWhenNotFound: true },
  })),
  like('PUT /api/v3/network-settings/moderation', () => ({ body: { isReportEnabled: true } })),
]

function like(route: string, request?: Row['request']): Row {
  const row = ROWS.find((known) => known.route === route)
  if (row === undefined) throw new Error(`no row of ${route}`)
  return { ...row, ...(request && { request }) }
}

const WRITES = [...ROWS, ...ALSO].filter(({ route }) => !route.startsWith('GET'))
test.each(
  WRITES.map((row) => [row.route, row.about ?? '', row] as const),
)('%s %s publishes what the published schema describes', async (_route, _about, row) => {
  const callers = CALLERS.filter((_, index) => row.outcomes[index] === 200)
  const scenes = await makeScenes(database, { castings: callers.map((caller) => STANDINGS[caller]) })
  await prepare(scenes, row)
  const sendAll = (row: Row) =>
    Promise.all(scenes.map((scene, index) => api.send(row, callers[index] ?? 'nobody', scene)))
  const before = ROWS.find(({ route }) => route === BEFORE[row.route])
  if (before !== undefined) await sendAll(before)
  await publishedSince()
  await sendAll(row)
  for (const { name, isHeld } of await publishedSince()) {
    expect(isHeld).toBe(false)
    tellers.get(name)?.rest.add(row.route)
  }
})

async function prepare(scenes: Scene[], { route, about }: Row): Promise<void> {
  const userIds = scenes.map(({ memberId }) => memberId)
  await database.prisma.user.updateMany({ where: { userId: { in: userIds } }, data: { flagCount: 1 } })
  await keepReportsOf(database, 'user', userIds)
  if (/^DELETE .*communities.*roles$/.test(route)) {
    await database.prisma.communityUser.updateMany({
      where: { userId: { in: userIds } },
      data: { roles: ['community-moderator'] },
    })
  }
  if (about !== 'where one has to ask,') return
  const inScenes = { communityId: { in: scenes.map(({ communityId }) => communityId) } }
  await database.prisma.community.updateMany({ where: inScenes, data: { requiresJoinApproval: true } })
  await database.prisma.joinRequest.deleteMany({ where: inScenes })
}

interface DeskAct {
  mutation: string
  /** As the table in the docs writes it. */
  act: string
  make: (ctx: Ctx, scene: Scene) => Promise<unknown>
}

async function report(ctx: Ctx, { messageId: id, memberId }: Scene): Promise<void> {
  await flag({ ...ctx, actor: asUser(memberId) }, flaggableMessage, { id, flag: { reason: 'Spam' } })
  await publishedSince()
}

async function roleOfNoPower(): Promise<string> {
  const roleId = `role-${crypto.randomUUID()}`
  await database.prisma.role.create({ data: { roleId, scope: 'community', rank: 1 } })
  return roleId
}

const BAN = { minutes: null }
/** Acts at the desk that publish an event. */
const DESK_ACTS: DeskAct[] = [
  ...(['comment', 'post'] as const).flatMap((subjectType) =>
    (['approved', 'rejected'] as const).map((outcome) => ({
      mutation: 'review.decide',
      act: `a ${subjectType} ${outcome}`,
      make: (ctx: Ctx, { heldCommentId, heldPostId }: Scene) =>
        decide(ctx, { subjectType, subjectId: subjectType === 'comment' ? heldCommentId : heldPostId, outcome }),
    })),
  ),
  ...(['dismissed', 'deleted'] as const).map((outcome) => ({
    mutation: 'review.decide',
    act: `a reported message ${outcome}`,
    make: async (ctx: Ctx, scene: Scene) => {
      await report(ctx, scene)
      await decide(ctx, { subjectType: 'message', subjectId: scene.messageId, outcome })
    },
  })),
  {
    mutation: 'users.erase',
    act: 'a person erased',
    make: (ctx, { memberId: userId }) => erasePerson(ctx, { userId, confirmation: userId }),
  },
  {
    mutation: 'review.reverse',
    act: 'an approval reversed',
    make: async (ctx, { heldCommentId: subjectId }) => {
      const subject = { subjectType: 'comment', subjectId } as const
      const { version } = await decide({ ...ctx, undoWindowMs: 0 }, { ...subject, outcome: 'approved' })
      await publishedSince()
      await reverseDecision(ctx, { ...subject, version })
    },
  },
  {
    mutation: 'review.restore',
    act: 'a comment restored that a rule rejected',
    make: async (ctx, { communityId, heldCommentId: subjectId }) => {
      await rejectedByRule(database, { communityId, commentId: subjectId })
      await restoreRejected(ctx, { subjectType: 'comment', subjectId, version: 1 })
    },
  },
  {
    mutation: 'review.restore',
    act: 'a message restored that a rule rejected',
    make: async (ctx, { messageId: subjectId }) => {
      await rejectedByRule(database, { messageId: subjectId })
      await restoreRejected(ctx, { subjectType: 'message', subjectId, version: 1 })
    },
  },
  {
    mutation: 'bans.ban',
    act: 'a ban from a channel',
    make: (ctx, { memberId: userId, channelId }) =>
      banPerson(ctx, { ...BAN, userId, space: { scope: 'channel', channelId } }),
  },
  {
    mutation: 'bans.ban',
    act: 'a ban from a community',
    make: (ctx, { memberId: userId, communityId }) =>
      banPerson(ctx, { ...BAN, userId, space: { scope: 'community', communityId } }),
  },
  {
    mutation: 'bans.ban',
    act: 'a ban from the network',
    make: (ctx, { memberId: userId }) => banPerson(ctx, { ...BAN, userId, space: { scope: 'network' } }),
  },
  {
    mutation: 'bans.unban',
    act: 'a ban from a channel lifted, or over',
    make: (ctx, { bannedId: userId, channelId }) =>
      unbanPerson(ctx, { userId, space: { scope: 'channel', channelId } }),
  },
  {
    mutation: 'bans.unban',
    act: 'a ban from a community lifted, or over',
    make: (ctx, { bannedId: userId, communityId }) =>
      unbanPerson(ctx, { userId, space: { scope: 'community', communityId } }),
  },
  {
    mutation: 'bans.unban',
    act: 'a ban from the network lifted, or over',
    make: (ctx, { outcastId: userId }) => unbanPerson(ctx, { userId, space: { scope: 'network' } }),
  },
  {
    mutation: 'members.ban',
    act: 'members of a channel banned',
    make: (ctx, { memberId, channelId }) =>
      banDeskMembers(ctx, { space: { scope: 'channel', channelId }, userIds: [memberId], minutes: null }),
  },
  {
    mutation: 'members.ban',
    act: 'members of a community banned',
    make: (ctx, { memberId, communityId }) =>
      banDeskMembers(ctx, { space: { scope: 'community', communityId }, userIds: [memberId], minutes: null }),
  },
  {
    mutation: 'members.unban',
    act: 'bans of members of a channel lifted',
    make: (ctx, { bannedId, channelId }) =>
      unbanDeskMembers(ctx, { space: { scope: 'channel', channelId }, userIds: [bannedId] }),
  },
  {
    mutation: 'members.unban',
    act: 'bans of members of a community lifted',
    make: (ctx, { bannedId, communityId }) =>
      unbanDeskMembers(ctx, { space: { scope: 'community', communityId }, userIds: [bannedId] }),
  },
  {
    mutation: 'members.banAgain',
    act: 'the lifting of bans undone',
    make: async (ctx, { bannedId: userId, channelId }) => {
      const space = { scope: 'channel' as const, channelId }
      await unbanDeskMembers(ctx, { space, userIds: [userId] })
      await publishedSince()
      await banDeskMembersAgain(ctx, { space, members: [{ userId }] })
    },
  },
  {
    mutation: 'members.add',
    act: 'people added to a channel',
    make: (ctx, { outsiderId, channelId }) =>
      addDeskMembers(ctx, { space: { scope: 'channel', channelId }, userIds: [outsiderId] }),
  },
  {
    mutation: 'members.add',
    act: 'people added to a community',
    make: (ctx, { outsiderId, communityId }) =>
      addDeskMembers(ctx, { space: { scope: 'community', communityId }, userIds: [outsiderId] }),
  },
  {
    mutation: 'members.remove',
    act: 'people removed from a channel',
    make: (ctx, { memberId, channelId }) =>
      removeDeskMembers(ctx, { space: { scope: 'channel', channelId }, userIds: [memberId] }),
  },
  {
    mutation: 'members.remove',
    act: 'people removed from a community',
    make: (ctx, { memberId, communityId }) =>
      removeDeskMembers(ctx, { space: { scope: 'community', communityId }, userIds: [memberId] }),
  },
  {
    mutation: 'members.putBack',
    act: 'a removal undone',
    make: async (ctx, { memberId: userId, channelId }) => {
      const space = { scope: 'channel' as const, channelId }
      await removeDeskMembers(ctx, { space, userIds: [userId] })
      await publishedSince()
      await restoreDeskMembers(ctx, { space, areBanned: false, members: [{ userId, roles: [] }] })
    },
  },
  ...(['addRole', 'removeRole'] as const).map((verb) => ({
    mutation: `members.${verb}`,
    act: verb === 'addRole' ? 'a role in a community given' : 'a role in a community taken',
    make: async (ctx: Ctx, { memberId, communityId }: Scene) => {
      const role = await roleOfNoPower()
      const change = { space: { scope: 'community' as const, communityId }, userIds: [memberId], role }
      await addDeskRole(ctx, change)
      if (verb === 'addRole') return
      await publishedSince()
      await removeDeskRole(ctx, change)
    },
  })),
  {
    mutation: 'communities.set',
    act: 'a setting of a community turned on or off',
    make: (ctx, { communityId }) => setCommunity(ctx, { communityId, setting: 'onlyAdminCanPost', isOn: true }),
  },
  {
    mutation: 'messages.delete',
    act: 'a message deleted',
    make: (ctx, { messageId }) => removeMessage(ctx, { messageId }),
  },
  {
    mutation: 'settings.changeFlags',
    act: 'a moderation flag turned on or off',
    make: async (ctx) => {
      const { isReportEnabled } = await readModerationSettings(ctx)
      await updateModerationSettings(ctx, { isReportEnabled: !isReportEnabled })
    },
  },
  {
    mutation: 'webhooks.test',
    act: 'the test of an endpoint',
    make: async (ctx) => {
      const { endpoint } = await addEndpoint(ctx, { url: 'https://receiver.example', events: [] }, testWebhooks)
      await testEndpoint(ctx, endpoint)
    },
  },
]

/**
 * Acts that publish nothing: they change nothing public, or undo what was never published; bulks decide one by one, as `review.decide`
 * does.
 */
const SILENT = [
  'appeals.decide',
  'statements.appeal',
  'authorTreatments.end',
  'authorTreatments.set',
  'access.setUp',
  'audit.export',
  'bulk.preview',
  'bulk.previewSanctions',
  'bulk.remove',
  'bulk.start',
  'bulk.undo',
  'bulk.work',
  'classifiers.add',
  'classifiers.change',
  'classifiers.remove',
  'classifiers.replaceSecret',
  'classifiers.switch',
  'classifiers.test',
  'escalations.deescalate',
  'escalations.escalate',
  'escalations.handOver',
  'insights.export',
  'leases.release',
  'leases.renew',
  'leases.take',
  'members.mute',
  'messages.bringBack',
  'messages.open',
  'lists.add',
  'lists.remove',
  'notes.delete',
  'notes.write',
  'notifications.addRoom',
  'notifications.change',
  'notifications.changeRoom',
  'notifications.removeRoom',
  'notifications.changeMail',
  'notifications.changeTexts',
  'notifications.resumeMail',
  'notifications.stop',
  'notifications.subscribe',
  'notifications.testMail',
  'notifications.testRoom',
  'notifications.unsubscribe',
  'policies.addStarters',
  'policies.archive',
  'policies.change',
  'policies.create',
  'preferences.change',
  'reasons.add',
  'reasons.archive',
  'reasons.change',
  'reasons.order',
  'reports.open',
  'review.claim',
  'review.export',
  'review.edit',
  'review.giveReason',
  'review.look',
  'review.openConversation',
  'review.release',
  'review.undo',
  'review.undoLatest',
  'credentials.issueKey',
  'credentials.issueToken',
  'credentials.revoke',
  'ownSignIn.beginCodes',
  'ownSignIn.changePassword',
  'ownSignIn.confirmCodes',
  'ownSignIn.endCodes',
  'ownSignIn.endSessions',
  'ownSignIn.removePasskey',
  'ownSignIn.renewBackupCodes',
  'queues.change',
  'queues.create',
  'queues.delete',
  'roles.change',
  'roles.delete',
  'roles.make',
  'roles.restore',
  'rules.applyToPending',
  'rules.archive',
  'rules.change',
  'rules.create',
  'rules.order',
  'rules.setState',
  'rules.testDraft',
  'staff.endSessions',
  'staff.giveRole',
  'staff.invite',
  'staff.makeLink',
  'staff.resetSecondFactor',
  'staff.switch',
  'staff.takeRole',
  'staff.acceptInvite',
  'staff.withdraw',
  'targets.remove',
  'targets.set',
  'targets.setClaimTime',
  'translations.change',
  'translations.item',
  'translations.switch',
  'translations.test',
  'users.export',
  'views.change',
  'views.delete',
  'views.save',
  'views.setDefault',
  'warnings.undo',
  'warnings.warn',
  'webhooks.add',
  'webhooks.change',
  'webhooks.remove',
  'webhooks.replay',
  'webhooks.replayFailed',
  'webhooks.replayRange',
  'webhooks.rotateSecret',
  'webhooks.skip',
  'webhooks.switch',
]

test('every act at the desk is listed as publishing an event or not', () => {
  const mutations = Object.entries(Object(appRouter)._def.procedures).flatMap(([path, procedure]) =>
    Object(procedure)._def.type === 'mutation' ? [path] : [],
  )
  const known = [...new Set(DESK_ACTS.map(({ mutation }) => mutation)), ...SILENT]
  expect(mutations.toSorted()).toEqual(known.toSorted())
})

test.each(DESK_ACTS.map((deskAct) => [deskAct.act, deskAct] as const))('%s at the desk publishes its event', async (_, {
  act,
  make,
}) => {
  const [scene] = await makeScenes(database, { castings: [undefined] })
  if (scene === undefined) throw new Error('a scene for each casting')
  const actor = { ...asAdmin([...NETWORK_PERMISSIONS]), rank: 1_000 } as Actor
  await publishedSince()
  await make(ctxOf(database, actor), scene)
  const published = await publishedSince()
  expect(published).toHaveLength(1)
  for (const { name, isHeld } of published) {
    const teller = tellers.get(name)
    teller?.desk.add(`${act}${isHeld ? ' *' : ''}`)
  }
})

test('what is held, and that a statement was issued or appealed against, is published by ids to an endpoint that names the event', async () => {
  const data = { url: 'https://example.com', events: [...NAMED_EVENTS], secret: new Uint8Array() }
  await database.prisma.webhookEndpoint.create({ data })
  const [scene] = await makeScenes(database, { castings: [undefined] })
  if (scene === undefined) throw new Error('a scene for each casting')
  const { communityId, memberId, postId } = scene
  await database.prisma.community.update({
    where: { communityId },
    data: { needApprovalOnCommentCreation: true, needApprovalOnPostCreation: true },
  })
  const ctx = ctxOf(database, asUser(memberId), { source: 'rest' })
  await publishedSince()
  await createComment(ctx, NewComment.parse({ referenceType: 'post', referenceId: postId, data: { text: 'Held' } }))
  await createPost(ctx, NewPost.parse({ targetType: 'community', targetId: communityId, data: { text: 'Held' } }))
  const names = (await publishedSince()).map(({ name }) => name)
  expect(names).toEqual(['v3.comment.didHold', 'v3.post.didHold'])
  tellers.get('v3.comment.didHold')?.rest.add('POST /api/v3/comments, of a comment that is held')
  tellers.get('v3.post.didHold')?.rest.add('POST /api/v3/posts, of a post that is held')

  const admin = { ...asAdmin([...NETWORK_PERMISSIONS]), rank: 1_000 } as Actor
  await banPerson(ctxOf(database, admin), { ...BAN, userId: memberId, space: { scope: 'community', communityId } })
  await publishedSince()
  await issueStatements(systemCtx(database))
  expect((await publishedSince()).map(({ name }) => name)).toContain('statement.didCreate')
  tellers
    .get('statement.didCreate')
    ?.rest.add('a [statement of reasons](interface/statements.md) is issued, whatever was called')
  tellers.get('statement.didCreate')?.desk.add('a statement of reasons is issued')

  const { statementId } = await database.prisma.statement.findFirstOrThrow({
    where: { userId: memberId, banId: { not: null } },
  })
  const { appealId } = await appeal(ctx, { statementId, words: 'Why?' })
  await decideAppeal(ctxOf(database, admin), { appealId, outcome: 'kept', answer: 'It stays.' })
  expect((await publishedSince()).map(({ name }) => name)).toEqual(['appeal.didCreate', 'appeal.didResolve'])
  const [made, resolved] = [tellers.get('appeal.didCreate'), tellers.get('appeal.didResolve')]
  made?.rest.add('POST /api/v1/appeals, and an appeal on the page of a statement’s link')
  resolved?.rest.add('POST /api/v1/appeals/{appealId}/decision')
  resolved?.desk.add('an appeal is decided')
})

test('every event has a cause, and docs contain the table of them', async () => {
  const lines = EVENT_NAMES.map((name) => {
    const { rest, desk } = tellers.get(name) ?? {}
    return [`\`${name}\``, [...(rest ?? [])].join('<br>'), [...(desk ?? [])].join('<br>')]
  })
  expect(lines.filter(([, rest, desk]) => rest === '' && desk === '')).toEqual([])
  const table = [['event', 'over REST', 'at the desk'], ['---', '---', '---'], ...lines]
  const text = table.map((line) => `| ${line.join(' | ')} |`).join('\n')
  await expect(`${ABOUT_EVENTS}\n${text}\n`).toMatchFileSnapshot('../../docs/events.md')
})

test('the published schema is generated from the schemas of the payloads', async () => {
  await expect(`${JSON.stringify(webhookSchema(), null, 2)}\n`).toMatchFileSnapshot('../../docs/events.schema.json')
})

const ABOUT_EVENTS = `# Events

The events that integrators receive, and what triggers each one. \`server/rest/events.db.test.ts\` generates this page: it performs every trigger
and checks each payload against [events.schema.json](events.schema.json). A body is \`{"event", "data"}\`; the schema describes \`data\`.
[webhooks.md](webhooks.md) describes delivery.

- Events of REST calls are published immediately. Desk actions marked * are published after ten seconds; if they are undone before, nothing is published.
- Events of the same post, comment, community, channel or user are published one after the other, in the order in which they happened.
- Nothing is published about content that is held for review or was declined: not its creation, edits, flags or deletion. Only
  \`v3.comment.didHold\` and \`v3.post.didHold\` say that something is held, without its text. Edits and late scores that hold something public cause
  them too.
- Endpoints that receive all events don't receive these two, nor \`statement.didCreate\`, \`appeal.didCreate\` and \`appeal.didResolve\`: they have to name them, and get those from then on.
- After a decision, the comment, post or message in \`data\` has \`reviewReasons\`: the rules, and the treatment of its author, that held, rejected or reported it.
- A rejected comment is published as \`v3.comment.didDelete\`. Bulk decisions are published one by one.
- A public comment or post that a rule or a treatment holds as its author edits it is published as deleted, as it was before the edit; afterwards as approved
  or declined.
`
