import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { keyFor } from '#server/core/secret.ts'
import { eraseTextsOn } from '#server/modules/ledger/audit/erase-texts.ts'
import { openAuditExport, readAuditExport } from '#server/modules/ledger/audit/export-audit.ts'
import { listActions, listAudit } from '#server/modules/ledger/audit/list-audit.ts'
import { readChain } from '#server/modules/ledger/audit/read-chain.ts'
import { readEntry } from '#server/modules/ledger/audit/read-entry.ts'
import { recordAudit, recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { AuditFilter, AuditInput } from '#server/modules/ledger/audit/schema.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { verifyBatch } from '#server/modules/ledger/audit/walk-chain.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor, over: Parameters<typeof ctxOf>[2] = {}) => ctxOf(database, actor, over)
const historian = as(asAdmin(['VIEW_HISTORY']))
const list = (filter: Partial<AuditInput>) => listAudit(historian, AuditInput.parse(filter))

/** Acts of a kind that no other test uses, one each minute. */
async function acts(count: number, over: Partial<Parameters<typeof recordAudit>[1]> = {}) {
  const action = `test.${randomUUID()}`
  const clock = clockAt('2026-05-01T12:00:00Z')
  const { userId } = await make.user({ displayName: 'Actor' })
  for (let index = 0; index < count; index += 1) {
    const ctx = as(asUser(userId), { now: clock.now })
    await recordAudit(ctx, { action, subjectType: 'message', subjectId: `m${index}`, ...over })
    clock.advance(60_000)
  }
  return { action, userId }
}

test('pages through the log in both directions, each act once, with a fixed order among acts of one moment', async () => {
  const { action, userId } = await acts(3)
  const ctx = as(asUser(userId), { now: () => new Date('2026-05-01T12:01:00Z') })
  const together = ['a', 'b', 'c', 'd'].map((subjectId) => ({ action, subjectType: 'message', subjectId }))
  await recordAudits(ctx, together)
  const ids = (page: { items: { subject: { id: string } }[] }) => page.items.map(({ subject }) => subject.id)

  const first = await list({ action, limit: 3 })
  const second = await list({ action, limit: 3, cursor: first.next ?? '' })
  const third = await list({ action, limit: 3, cursor: second.next ?? '' })
  expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(['m2', 'd', 'c', 'b', 'a', 'm1', 'm0'])
  expect(third.next).toBeUndefined()
  expect(ids(await list({ action, limit: 3, cursor: third.previous ?? '' }))).toEqual(ids(second))
  expect(first.previous).toBeUndefined()
})

test('filters by actor, action, subject, community and time, in days of the zone', async () => {
  const community = await make.community({ displayName: 'Harbour' })
  const { action, userId } = await acts(2, { communityId: community.communityId })
  const ids = async (filter: Partial<AuditInput>) => (await list(filter)).items.map(({ subject }) => subject.id)

  expect(await ids({ actorId: userId })).toEqual(['m1', 'm0'])
  expect(await ids({ communityId: community.communityId })).toEqual(['m1', 'm0'])
  expect(await ids({ action, subjectId: 'm0' })).toEqual(['m0'])
  expect(await ids({ action, startDate: '2026-05-02', timeZone: 'UTC' })).toEqual([])
  // Noon of the first is early on the second there.
  expect(await ids({ action, startDate: '2026-05-02', endDate: '2026-05-02', timeZone: 'Pacific/Kiritimati' })).toEqual(
    ['m1', 'm0'],
  )
  const { narrowedTo, items } = await list({ actorId: userId, communityId: community.communityId })
  expect(narrowedTo).toEqual({ actor: 'Actor', community: 'Harbour' })
  expect(items[0]).toMatchObject({
    actor: { kind: 'user', id: userId, name: 'Actor', userId },
    community: { displayName: 'Harbour' },
    source: 'desk',
  })
  expect(await listActions(historian)).toContain(action)
})

test('names rules, roles, reasons, queues, tokens and messages instead of showing their ids', async () => {
  const { prisma } = database
  const name = `Named ${randomUUID()}`
  const { userId } = await make.user({ displayName: name })
  const { ruleId } = await prisma.rule.create({
    data: { name, position: 1, ownerId: userId, createdAt: new Date(), updatedAt: new Date() },
  })
  const { roleId } = await prisma.role.create({ data: { roleId: randomUUID(), displayName: name, scope: 'network' } })
  const { reasonId } = await prisma.rejectionReason.create({ data: { label: name, position: 99 } })
  const { queueId } = await prisma.namedQueue.create({ data: { name, createdAt: new Date(), updatedAt: new Date() } })
  const token = { kind: 'admin' as const, roleId, digest: Buffer.from(randomUUID()), expiresAt: new Date() }
  const { tokenId } = await prisma.accessToken.create({ data: token })
  const { channelId } = await make.channel()
  const { messageId } = await make.message({ channelId, userId })
  const subjects = {
    rule: ruleId,
    role: roleId,
    reason: reasonId,
    namedQueue: queueId,
    token: tokenId,
    message: messageId,
  }
  const ctx = as(asUser(userId))
  for (const [subjectType, subjectId] of Object.entries(subjects)) {
    await recordAudit(ctx, { action: `${subjectType}.created`, subjectType, subjectId })
  }

  const { items } = await list({ actorId: userId })
  expect(items.map(({ subject }) => subject.type).toSorted()).toEqual(Object.keys(subjects).toSorted())
  expect(new Set(items.map(({ subject }) => subject.name))).toEqual(new Set([name]))
})

test('says which moderation settings were turned on or off', async () => {
  const { userId } = await make.user()
  await recordAudit(as(asUser(userId)), {
    action: 'network.moderationUpdated',
    subjectType: 'network',
    subjectId: 'network',
    before: { isWhitelistEnabled: false, isReportEnabled: true },
    after: { isWhitelistEnabled: true, isReportEnabled: true },
  })
  const [entry] = (await list({ actorId: userId })).items
  expect(entry?.turned).toEqual({ isWhitelistEnabled: true })
})

test('says how many records of each type an import added', async () => {
  const { userId } = await make.user()
  const after = { added: { user: 2, comment: 5 }, unchanged: { user: 1 }, refused: 1 }
  const subject = { subjectType: 'import', subjectId: randomUUID() }
  await recordAudit(as(asUser(userId)), { action: 'import.finished', ...subject, after })
  const [entry] = (await list({ actorId: userId })).items
  expect(entry?.added).toEqual({ user: 2, comment: 5 })
})

test('the filter for decisions in force leaves out undone ones', async () => {
  const { communityId } = await make.community()
  const reviewer = as(await make.reviewerOf(communityId))
  const [kept, undone] = [await make.heldComment({ communityId }), await make.heldComment({ communityId })]
  for (const { commentId: subjectId } of [kept, undone]) {
    const { decisionId } = await decide(reviewer, { subjectType: 'comment', subjectId, outcome: 'approved' })
    if (subjectId === undone.commentId) await undoDecision(reviewer, { decisionId })
  }
  const { items } = await list({ communityId, action: 'decided' })
  expect(items.map(({ subject }) => subject.id)).toEqual([kept.commentId])
  expect((await list({ communityId })).items).toHaveLength(3)
})

test('an act shows its states before and after, its text, and the other acts of its request', async () => {
  const ctx = as(asUser((await make.user()).userId))
  const at = { subjectType: 'channel', subjectId: randomUUID() }
  await recordAudit(ctx, { ...at, action: 'channel.updated', before: { name: 'a' }, after: { name: 'b' }, text: 'Why' })
  await recordAudits(ctx, [{ ...at, action: 'channel.deleted' }])
  const { items } = await list({ subjectId: at.subjectId })
  const auditId = items[1]?.auditId ?? ''

  const entry = await readEntry(historian, { auditId })
  expect(entry).toMatchObject({ before: { name: 'a' }, after: { name: 'b' }, words: 'Why', areWordsErased: false })
  expect(entry.sameAct.map(({ action }) => action)).toEqual(['channel.updated', 'channel.deleted'])

  await eraseTextsOn(ctx, at.subjectType, [at.subjectId])
  const erased = await readEntry(historian, { auditId })
  expect(erased.words).toBeUndefined()
  expect(erased.areWordsErased).toBe(true)
  expect(await readEntry(historian, { auditId: '999999999' }).catch(failureOf)).toBe('NOT_FOUND')
})

test('keeps only the id of an erased person', async () => {
  const { action, userId } = await acts(1)
  await database.prisma.user.update({ where: { userId }, data: { displayName: null, isDeleted: true } })
  const [entry] = (await list({ action })).items
  expect(entry?.actor).toEqual({ kind: 'user', id: userId, userId, isDeleted: true })
})

test('rejects callers without VIEW_HISTORY', async () => {
  const { communityId } = await make.community()
  for (const actor of [await make.reviewerOf(communityId), asAdmin(['MANAGE_POST_AND_COMMENT', 'VIEW_USERS'])]) {
    const ctx = as(actor)
    const tries = [
      () => listAudit(ctx, AuditInput.parse({ communityId })),
      () => readEntry(ctx, { auditId: '1' }),
      () => listActions(ctx),
      () => readChain(ctx),
      async () => openAuditExport(ctx, Buffer.alloc(32), AuditFilter.parse({})),
    ]
    for (const attempt of tries) expect(await attempt().catch(failureOf)).toBe('FORBIDDEN')
  }
})

const readAll = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join('')

test('exports what the filter finds without cells that a spreadsheet would run, and logs the export with its filter', async () => {
  const key = Buffer.alloc(32)
  const { action, userId } = await acts(1, { text: '=HYPERLINK("http://a.example")' })
  const earlier = as(asUser(userId), { now: () => new Date('2026-05-01T11:00:00Z') })
  const many = Array.from({ length: 1_200 }, (_, index) => ({ action, subjectType: 'message', subjectId: `n${index}` }))
  await recordAudits(earlier, many)
  const link = await openAuditExport(historian, key, AuditFilter.parse({ action }))
  const lines = (await readAll(readAuditExport(historian, key, link))).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1_202)
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://a.example"")"`)
  expect(lines[1]).toContain('"m0"')
  const [logged] = (await list({ action: 'audit.exported' })).items
  expect(await readEntry(historian, { auditId: logged?.auditId ?? '' })).toMatchObject({ after: { action } })

  const other = { ...link, filter: JSON.stringify({}) }
  expect(() => readAuditExport(historian, key, other)).toThrow(DomainError)
  const later = as(asAdmin([]), { now: () => new Date(Date.now() + 61_000) })
  expect(() => readAuditExport(later, key, link)).toThrow(DomainError)
})

test('checks the chain step by step, and the next full check finds a row changed directly in the database', async () => {
  const key = keyFor('a secret for tests, long enough to be one', 'audit')
  const system = systemCtx(database)
  const clock = clockAt('2026-06-01T00:00:00Z')
  const walk = () => verifyBatch({ ...system, now: clock.now }, key)
  while ((await sealAudit(system, key)) > 0);
  await walk()
  const before = await readChain(historian)
  expect(before).toMatchObject({ unsealed: 0, latest: { seq: before.sealed }, whole: { seq: before.sealed } })
  expect(before.latest?.problem).toBeUndefined()
  expect(before.whole?.finishedAt).toBe('2026-06-01T00:00:00.000Z')

  await acts(2)
  expect((await readChain(historian)).unsealed).toBe(2)
  await sealAudit(system, key)
  clock.advance(1_000)
  await walk()
  expect((await readChain(historian)).latest?.seq).toBe(String(Number(before.sealed) + 2))

  await database.pool.query('alter table audit disable trigger audit_append_only')
  await database.pool.query(
    `update audit set action = 'test.other' where audit_id = (select audit_id from audit_seal where seq = 1)`,
  )
  clock.advance(1_000)
  await walk()
  expect((await readChain(historian)).whole?.problem).toBeUndefined()
  clock.advance(86_400_000)
  await walk()
  expect((await readChain(historian)).whole?.problem).toContain('does not match seal 1')

  await database.pool.query('alter table audit_seal disable trigger audit_seal_append_only')
  await database.pool.query('delete from audit_seal where seq = (select max(seq) from audit_seal)')
  await walk()
  expect((await readChain(historian)).latest?.problem).toContain('is not there any more')
})
