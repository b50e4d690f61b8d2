import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { keyFor } from '#server/core/secret.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { verifyChain } from '#server/modules/ledger/audit/verify-chain.ts'
import { eraseBatch } from '#server/modules/people/erase-batch.ts'
import { erasePerson } from '#server/modules/people/erase-person.ts'
import { openExport, readExport } from '#server/modules/people/export-person.ts'
import { isOf, PERSONAL_DATA } from '#server/modules/people/personal-data-map.ts'
import { readPerson } from '#server/modules/people/read-person.ts'
import { clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { makeOneOfEverything, makeWorded, type WordedPerson } from '#server/testing/one-of-everything.ts'

const { database, prisma, pool, make } = await testDatabase()
const key = keyFor('a secret for tests, long enough to be one', 'reports')
const auditKey = keyFor('a secret for tests, long enough to be one', 'audit')

const staff = async (rank: number, permissions: Permission[]): Promise<Actor> => {
  const { userId } = await make.user({ displayName: 'Staff' })
  return { kind: 'admin', userId, name: 'Staff', rank, permissions: new Set(permissions) }
}
const support = await staff(400, ['VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'])
const superModerator = await staff(800, ['EDIT_USER', 'VIEW_USERS', 'VIEW_HISTORY'])
const admin = await staff(1_000, ['EDIT_USER', 'VIEW_USERS', 'VIEW_HISTORY', 'MANAGE_STAFF'])

/**
 * Columns of text or JSON that name nobody: ids of things, states, words shared by everybody, secrets, and what is deleted with its row. A
 * new column belongs here or in `PERSONAL_DATA`: whether it can name a person has to be stated.
 */
const OTHERWISE: Record<string, string> = {
  appeal: 'appeal_id statement_id state',
  api_key: 'key_id name allows',
  access_token: 'token_id name role_id key_id',
  audit_check: 'problem',
  audit_text: 'erased_by',
  audit_rejected: 'problem',
  audit: 'actor_kind action subject_type community_id channel_id before after request_id',
  auth_token: 'key_id',
  author_treatment: 'community_id',
  author_treatment_hold: 'subject_id',
  ban: 'community_id channel_id policy_id',
  bulk: 'outcome bulk_id reason_id sanction_policy_id',
  bulk_item: 'bulk_id subject_id failure',
  bulk_sanction: 'bulk_id space_id failure',
  category: 'category_id name avatar_file_id metadata',
  channel:
    'channel_id internal_id display_name avatar_file_id tags metadata message_preview_id attached_post_id attached_video_stream_id attached_room_id pinned_message_id',
  channel_user: 'channel_id roles sort_name',
  chat_post: 'room_id topic subject_type key state',
  chat_room: 'room_id name format host topics community_id language last_problem',
  classifier: 'classifier_id name url community_id last_problem',
  classifier_item: 'classifier_id subject_id',
  comment:
    'comment_id internal_id community_id reference_id parent_id root_id data_types data metadata hash_flag reactions mentionees attachments',
  community: 'community_id internal_id channel_id display_name avatar_file_id description tags category_ids metadata',
  community_user: 'community_id roles',
  decision: 'subject_id community_id kind outcome reason_id client_key bulk_id',
  // Of an event, which is exported itself.
  delivery: 'delivery_id endpoint_id event_name subject_type subject_id',
  delivery_try: 'delivery_id answer',
  event: 'name subject_type community_id payload',
  feed: 'feed_id target_id target_type',
  file: 'file_url alt_text attributes',
  // Its responses are encrypted and deleted after a day (docs/decisions/0175).
  review_facet: 'subject_type subject_id facet community_id',
  idempotency_key: 'credential',
  join_request: 'join_request_id community_id',
  lease: 'subject_id token',
  list_rule: 'rule_id pattern matcher',
  message:
    'message_id internal_id channel_id message_feed_id parent_id file_id type data tags metadata hash_flag reactions mentionees words',
  message_feed: 'message_feed_id channel_id last_message_id message_preview_id',
  message_numbering: 'channel_id from_id',
  mute: 'channel_id community_id subject_id policy_id',
  named_queue: 'queue_id community_id name',
  named_queue_member: 'queue_id',
  network_user: 'internal_id',
  note: 'community_id text',
  notification: 'topic channel subject_type key state',
  notification_choice: 'topic channel pace',
  notification_person: 'zone',
  notification_settings: 'host security username from_address from_name last_problem vapid_public',
  post: 'post_id internal_id parent_post_id community_id feed_id data data_type structure_type metadata reactions hash_flag tags hashtags mentionees',
  policy: 'policy_id starter',
  policy_version: 'policy_id texts ground legal_reference url category report_reasons',
  push_subscription: 'subscription_id endpoint p256dh auth',
  reaction: 'subject_id reaction_name reaction_id',
  rejection_reason: 'reason_id label text_to_author policy_id',
  reported_act: 'event',
  review_evidence: 'kind subject_type subject_id title text',
  review_item: 'kind subject_type subject_id community_id channel_id post_id state data_types hash_flag',
  role: 'role_id display_name permissions',
  signal: 'name model_version sent_by',
  room: 'room_id internal_id type target_type target_id reference_type reference_id live_channel_id live_playback_url live_thumbnail_url parent_room_id child_room_ids recorded_playback_infos moderation',
  rule: 'rule_id community_id name',
  rule_match: 'rule_id subject_id found',
  rule_version: 'rule_id kinds condition action',
  saved_view: 'view_id name page filters',
  service_target: 'community_id',
  staff_account: 'id name email image',
  staff_login: 'id account_id provider_id access_token refresh_token id_token scope password',
  staff_passkey: 'id name public_key credential_id device_type transports aaguid',
  statement: 'statement_id measure community_id channel_id subject_id policy_id explanation found_by',
  staff_preference: 'preferences',
  staff_second_factor: 'id secret backup_codes',
  staff_session: 'id token ip_address user_agent',
  staff_verification: 'id value',
  stream:
    'stream_id moderation_id resolution post_id channel_id parent_stream_id child_stream_ids platform streamer_url watcher_url recordings',
  tally: 'subject_id',
  translation_settings: 'url',
  tally_delta: 'subject_id',
  unjudged_import: 'subject_id community_id',
  webhook_endpoint: 'endpoint_id url description events disabled_reason',
}

const ENTRIES = Object.entries(PERSONAL_DATA).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, entry]) => ({ table, column, ...entry })),
)

test('every column of text or JSON is listed as able or unable to name a person', async () => {
  const columns = await prisma.$queryRaw<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where (table_schema || '.' || table_name)::regclass in (select oid from pg_class where relkind in ('r', 'p') and not relispartition)
      and table_schema = 'public' and table_name not like '\\_%' and (data_type in ('text', 'json', 'jsonb', 'character varying') or udt_name = '_text')`
  const otherwise = Object.entries(OTHERWISE).flatMap(([table, names]) =>
    names.split(' ').map((name) => `${table}.${name}`),
  )
  const held = ENTRIES.flatMap(({ table, column, erases }) =>
    [column, ...(typeof erases === 'object' ? Object.keys(erases) : [])].map((name) => `${table}.${name}`),
  )
  const known = new Set([...otherwise, ...held])
  expect(columns.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
  const named = new Set(columns.map(({ name }) => name))
  expect(otherwise.filter((name) => !named.has(name))).toEqual([])
})

async function exportOf(userId: string): Promise<{ text: string; tables: Record<string, Record<string, unknown[]>> }> {
  const ctx = ctxOf(database, support)
  const link = await openExport(ctx, key, { userId, reason: 'They asked for it' })
  const text = (await Array.fromAsync(readExport(ctx, key, link))).join('')
  return { text, tables: JSON.parse(text).tables }
}

/** The rows of each table that contain the text in any column. */
async function rowsHolding(text: string): Promise<Record<string, number>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
  const found: [string, number][] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select count(*)::int as count from ${name} t where to_jsonb(t)::text like $1`, [
      `%${text}%`,
    ])
    if (rows[0].count > 0) found.push([name, rows[0].count])
  }
  return Object.fromEntries(found)
}

async function rowsHeld(table: string, userId: string): Promise<number> {
  const isTheirs = Object.entries(PERSONAL_DATA[table] ?? {}).map(
    ([column, entry]) => sql`(${isOf(column, entry, userId)})`,
  )
  if (isTheirs.length === 0) return 0
  const { text, values } = sql`
    select count(*)::int as count from ${sql.raw(table)} t where (${sql.join(isTheirs, ' or ')}) and to_jsonb(t)::text like ${`%${userId}%`}`
  return (await pool.query(text, values)).rows[0].count
}

async function eraseAll(people: WordedPerson[]): Promise<void> {
  const clock = clockAt(new Date().toISOString())
  for (const { userId } of people) {
    await erasePerson(ctxOf(database, admin, { now: clock.now }), { userId, confirmation: userId })
  }
  const system = { ...systemCtx(database), now: clock.now }
  while (await eraseBatch(system)) {}
  expect(
    await prisma.erasure.count({
      where: { finishedAt: { not: null }, userId: { in: people.map(({ userId }) => userId) } },
    }),
  ).toBe(0)
  clock.advance(15_000)
  while (await eraseBatch(system)) {}
}

/** Rows that belong to one person only, by the column that names the owner. */
const OWN = {
  comment: 'user_id',
  post: 'posted_user_id',
  message: 'user_id',
  network_user: 'user_id',
  file: 'file_id',
  stream: 'user_id',
  community_user: 'user_id',
  channel_user: 'user_id',
  saved_view: 'owner_id',
  staff_preference: 'user_id',
  notification_choice: 'user_id',
  notification_person: 'user_id',
  push_subscription: 'user_id',
  staff_account: 'network_user_id',
}

describe('of two people who interact everywhere', async () => {
  const [me, other] = [await makeWorded(database), await makeWorded(database)]
  await makeOneOfEverything(database, other, me)
  await makeOneOfEverything(database, me, other)
  const before = await exportOf(other.userId)

  test('an export of one contains every row about them, and nothing about the other', async () => {
    const { text, tables } = await exportOf(me.userId)
    for (const { table, column, shows } of ENTRIES.filter(({ shows }) => shows !== 'nothing')) {
      expect([table, column, shows, tables[table]?.[column]?.length ?? 0]).not.toEqual([table, column, shows, 0])
    }
    expect(text).not.toContain(other.word)
    expect(text).not.toContain(other.userId)
    // Payloads and states name people among others; their own data is in the tables themselves.
    for (const [table, count] of Object.entries(await rowsHolding(me.userId))) {
      if (!['event', 'audit'].includes(table)) expect([table, await rowsHeld(table, me.userId)]).toEqual([table, count])
    }
    expect(Object.keys(await rowsHolding(me.word)).filter((table) => tables[table] === undefined)).toEqual([])
  })

  test('once one is erased nothing about them is left, the other’s data is kept, and the log verifies', async () => {
    expect(Object.keys(await rowsHolding(me.word)).length).toBeGreaterThan(20)
    await eraseAll([me])
    expect(await rowsHolding(me.word)).toEqual({})
    expect(await rowsHolding(`Said ${me.word}`)).toEqual({})
    const { text, tables } = await exportOf(me.userId)
    expect(text).not.toContain(me.word)
    expect(tables.network_user?.user_id).toMatchObject([{ user_id: me.userId, display_name: null, is_deleted: true }])
    expect(tables.comment?.user_id).toEqual([])

    const after = await exportOf(other.userId)
    for (const [table, column] of Object.entries(OWN))
      expect([table, after.tables[table]?.[column]]).toEqual([table, before.tables[table]?.[column]])
    const events = await prisma.event.findMany({ where: { name: 'user.didFlag' } })
    expect(events.map(({ payload }) => JSON.stringify(payload)).join()).toContain(other.word)

    while ((await sealAudit(systemCtx(database), auditKey)) > 0) {}
    expect(await verifyChain(systemCtx(database), auditKey)).toMatchObject({ verified: true, unsealed: 0 })
    const log = await prisma.audit.findMany({
      where: { subjectId: me.userId, action: { in: ['user.erased', 'user.forgotten'] } },
    })
    expect(log.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['user.erased', 'admin'],
      ['user.forgotten', 'system'],
    ])
    const page = await readPerson(ctxOf(database, support), { userId: me.userId })
    expect(page).toMatchObject({ user: { isDeleted: true }, erasure: { finishedAt: expect.any(String) } })
    expect(JSON.stringify(page)).not.toContain(me.word)
  })
})

test('what colleagues wrote to each other about their content is erased, also where the content or its decision is gone', async () => {
  const person = await makeWorded(database)
  const colleague = await make.user()
  const { commentId, communityId } = await make.heldComment({ userId: person.userId })
  const [decided, flagged] = [`gone-${randomUUID()}`, `gone-${randomUUID()}`]
  const now = new Date()
  const escalated = { escalatedBy: colleague.userId, escalatedByName: 'Staff', escalatedAt: now }
  const note = { escalationNote: `About ${person.word}`, ...escalated }
  await make.escalated({ subjectType: 'comment', subjectId: commentId }, note)
  const of = { subjectType: 'comment' as const, communityId, authorId: person.userId }
  const decision = { outcome: 'rejected', decidedByName: 'Staff', decidedAt: now, source: 'desk' } as const
  await prisma.decision.create({ data: { ...of, subjectId: decided, ...decision, version: 2, eventId: 0 } })
  const reported = { kind: 'reported', state: 'dismissed', version: 2 } as const
  const at = { writtenAt: now, openedAt: now, placedAt: now, closedAt: now }
  await prisma.reviewItem.create({ data: { ...of, subjectId: flagged, ...reported, ...at, ...note } })
  await eraseAll([person])
  expect(await rowsHolding(person.word)).toEqual({})
})

test('a colleague’s saved view of what they wrote no longer has their name, and stays the colleague’s', async () => {
  const person = await makeWorded(database)
  const { userId: ownerId } = await make.user()
  const view = { ownerId, page: 'queue', name: `All by ${person.word}` }
  const { viewId } = await prisma.savedView.create({ data: { ...view, filters: { authorId: person.userId } } })
  const other = await prisma.savedView.create({ data: { ...view, name: 'Mine', filters: { authorId: ownerId } } })
  await eraseAll([person])
  expect(await prisma.savedView.findUnique({ where: { viewId } })).toMatchObject({ ownerId, name: 'Erased' })
  expect(await prisma.savedView.findUnique({ where: { viewId: other.viewId } })).toMatchObject({ name: 'Mine' })
})

test('what a receiver repeats of an event about them is erased, and what it answers to other events is kept', async () => {
  const [person, other] = [await makeWorded(database), await make.user()]
  const { endpointId } = await prisma.webhookEndpoint.create({
    data: { url: 'https://x.example', secret: Buffer.from('secret') },
  })
  const now = new Date()
  const deliver = async (seq: bigint, { userId, answer }: { userId: string; answer: string }) => {
    const event = { name: 'user.didUpdate', subjectType: 'user', subjectId: userId }
    const at = { createdAt: now, releasesAt: now }
    await prisma.event.create({
      data: { ...event, seq, payload: { users: [{ userId, displayName: answer }] }, state: 'released', ...at },
    })
    const { name: eventName, ...subject } = event
    const deliveryId = randomUUID()
    await prisma.delivery.create({
      data: { deliveryId, endpointId, eventSeq: seq, eventName, ...subject, state: 'delivered', createdAt: now },
    })
    for (const number of [1, 2])
      await prisma.deliveryTry.create({
        data: { deliveryId, number, isLast: false, startedAt: now, durationMs: 1, status: 200, answer },
      })
  }
  await deliver(9_000_001n, { userId: person.userId, answer: `Received ${person.word}` })
  await deliver(9_000_002n, { userId: other.userId, answer: `Received ${other.userId}` })
  await eraseAll([person])
  expect(await rowsHolding(person.word)).toEqual({})
  expect(await prisma.deliveryTry.count({ where: { answer: `Received ${other.userId}` } })).toBe(2)
})

test('a file that they shared from others, or that is the avatar of a community, stays when they are erased', async () => {
  const [person, other] = [await make.user(), await make.user()]
  const [avatar, shared, own] = ['avatar', 'shared', 'own'].map((kind) => `${kind}-${randomUUID()}`)
  await prisma.file.createMany({
    data: [avatar, shared, own].map((fileId = '') => ({ fileId, fileUrl: 'https://x.example' })),
  })
  const { communityId } = await make.community()
  await prisma.community.update({ where: { communityId }, data: { avatarFileId: avatar ?? null } })
  const post = { postedUserId: person.userId, communityId }
  for (const [fileId, sharedUserId] of [[avatar], [own, person.userId], [shared, other.userId]] as const)
    await prisma.post.create({
      data: { ...post, postId: randomUUID(), sharedUserId: sharedUserId ?? null, data: { fileId: fileId ?? '' } },
    })
  await eraseAll([{ ...person, word: '', email: '', staffId: '' }])
  const left = await prisma.file.findMany({ where: { fileId: { in: [avatar ?? '', shared ?? '', own ?? ''] } } })
  expect(left.map(({ fileId }) => fileId).toSorted()).toEqual([avatar, shared])
})

test('their content is subtracted from the counts', async () => {
  const person = await makeWorded(database)
  const { commentId, communityId } = await make.heldComment({ userId: person.userId, data: { text: person.word } })
  await eraseAll([person])
  expect(await prisma.comment.count({ where: { commentId } })).toBe(0)
  const held = await prisma.tallyDelta.aggregate({
    where: { kind: 'held_comments', subjectId: communityId },
    _sum: { delta: true },
  })
  expect(held._sum.delta).toBe(0)
})

test('two processes erase one person together, each item once', async () => {
  const person = await makeWorded(database)
  const { communityId } = await make.community()
  await prisma.comment.createMany({
    data: Array.from({ length: 120 }, () => ({
      commentId: randomUUID(),
      userId: person.userId,
      targetType: 'community' as const,
      communityId,
      data: { text: person.word },
    })),
  })
  await erasePerson(ctxOf(database, admin), { userId: person.userId, confirmation: person.userId })
  const later = new Date(Date.now() + 15_000)
  const work = async () => {
    const system = { ...systemCtx(database), now: () => later }
    while (await eraseBatch(system)) {}
  }
  await Promise.all([work(), work()])
  await work()
  expect(await prisma.comment.count({ where: { userId: person.userId } })).toBe(0)
  expect(await prisma.audit.count({ where: { communityId, action: 'comment.erased' } })).toBe(120)
  expect(await prisma.audit.count({ where: { subjectId: person.userId, action: 'user.forgotten' } })).toBe(1)
})

test('erasing takes EDIT_USER, a higher rank and, of staff, MANAGE_STAFF; requested twice, it happens once', async () => {
  const [person, colleague] = [await make.user(), await makeWorded(database)]
  const erase = (actor: Actor, userId: string) =>
    erasePerson(ctxOf(database, actor), { userId, confirmation: userId }).catch(failureOf)
  const peer = await make.user({ roles: ['global-admin'] })
  const moderator = await staff(600, ['MANAGE_POST_AND_COMMENT', 'BAN_USER'])
  expect(await erase(support, person.userId)).toBe('FORBIDDEN')
  expect(await erase(moderator, person.userId)).toBe('FORBIDDEN')
  expect(await erase(superModerator, peer.userId)).toBe('FORBIDDEN')
  expect(await erase(superModerator, colleague.userId)).toBe('FORBIDDEN')
  expect(await erase(admin, 'userId' in admin ? (admin.userId ?? '') : '')).toBe('FORBIDDEN')
  expect(await erase(admin, 'nobody')).toBe('NOT_FOUND')
  expect(await prisma.user.count({ where: { userId: person.userId, isDeleted: true } })).toBe(0)

  await Promise.all([erase(superModerator, person.userId), erase(superModerator, person.userId)])
  expect(await prisma.audit.count({ where: { subjectId: person.userId, action: 'user.erased' } })).toBe(1)
})

test('an erased person immediately loses access everywhere', async () => {
  const person = await makeWorded(database)
  const expiresAt = new Date(Date.now() + 60_000)
  const { tokenId } = await prisma.accessToken.create({
    data: { digest: Buffer.from(randomUUID()), kind: 'user', userId: person.userId, expiresAt },
  })
  await prisma.staffSession.create({
    data: { id: randomUUID(), token: randomUUID(), userId: person.staffId, expiresAt },
  })
  await erasePerson(ctxOf(database, admin), { userId: person.userId, confirmation: person.userId })
  expect(await prisma.accessToken.findUnique({ where: { tokenId } })).toMatchObject({ revokedAt: expect.any(Date) })
  expect(await prisma.staffSession.count({ where: { userId: person.staffId } })).toBe(0)
  expect(await prisma.staffAccount.findUnique({ where: { id: person.staffId } })).toMatchObject({ isDisabled: true })
})

test('an export is for those who see every user and the full history, and the log keeps who made it and why', async () => {
  const { userId } = await make.user()
  const { communityId } = await make.community()
  const open = async (actor: Actor, of = userId) =>
    openExport(ctxOf(database, actor), key, { userId: of, reason: 'A letter' }).catch(failureOf)
  expect(await open(await make.reviewerOf(communityId))).toBe('FORBIDDEN')
  expect(await open(await staff(900, ['VIEW_USERS']))).toBe('FORBIDDEN')
  expect(await open(support, 'nobody')).toBe('NOT_FOUND')
  expect(await prisma.audit.count({ where: { subjectId: userId } })).toBe(0)

  expect(await open(support)).toMatchObject({ userId })
  const [act] = await prisma.audit.findMany({ where: { subjectId: userId } })
  expect(act).toMatchObject({ action: 'user.exported', actorId: 'userId' in support ? support.userId : '' })
  expect(await prisma.auditText.findUnique({ where: { auditId: act?.auditId ?? 0n } })).toMatchObject({
    text: 'A letter',
  })
})

test('an export of many rows is read as of one moment, and a reader who stops blocks nothing', async () => {
  const person = await makeWorded(database)
  const { communityId } = await make.community()
  await prisma.comment.createMany({
    data: Array.from({ length: 1_200 }, (_, index) => ({
      commentId: `many-${index}-${randomUUID()}`,
      userId: person.userId,
      targetType: 'community' as const,
      communityId,
      data: { text: 'Said' },
    })),
  })
  const ctx = ctxOf(database, support)
  const link = await openExport(ctx, key, { userId: person.userId, reason: 'x' })
  const pieces = readExport(ctx, key, link)[Symbol.asyncIterator]()
  let text = ''
  while (!text.includes('network_user')) text += (await pieces.next()).value
  text += (await pieces.next()).value + (await pieces.next()).value
  await prisma.comment.deleteMany({ where: { userId: person.userId } })
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) text += piece.value
  expect(JSON.parse(text).tables.comment.user_id).toHaveLength(1_200)

  for (let again = 0; again < 15; again += 1) {
    const left = readExport(ctx, key, link)[Symbol.asyncIterator]()
    await left.next()
    await left.return?.()
  }
  expect(pool.idleCount).toBe(pool.totalCount)
})
