import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { askService } from '#server/modules/integrations/translations/ask-service.ts'
import {
  TRANSLATED_LENGTH,
  TRANSLATIONS_A_MINUTE,
  TranslateInput,
} from '#server/modules/integrations/translations/schema.ts'
import { testTranslation } from '#server/modules/integrations/translations/test-translation.ts'
import { translateItem } from '#server/modules/integrations/translations/translate-item.ts'
import { createTranslationMemory } from '#server/modules/integrations/translations/translation-memory.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import {
  changeTranslation,
  readTranslationSettings,
  switchTranslation,
} from '#server/modules/integrations/translations/translation-settings.ts'
import { openConversation } from '#server/modules/review/items/read-report.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asAdmin, asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'
import { openTranslationStub, testTranslations } from '#server/testing/translations.ts'

const { database, prisma, make } = await testDatabase()
const stub = await openTranslationStub()
afterAll(stub.close)
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
let parts: TranslationParts

beforeEach(async () => {
  parts = testTranslations()
  stub.asked.length = 0
  stub.answerWith()
  await prisma.translationSettings.update({ where: { id: 1 }, data: { url: null, apiKey: null, isOn: false } })
})

const version = async () => (await readTranslationSettings(admin, parts)).version

async function turnOn(service: { url: string; apiKey?: string } = { url: stub.url }): Promise<void> {
  await changeTranslation(admin, { version: await version(), service }, parts)
  await switchTranslation(admin, { version: await version(), isOn: true }, parts)
}

async function held(text = 'Bonjour à tous') {
  const { communityId } = await make.community()
  const { commentId } = await make.heldComment({ communityId, data: { text } })
  const ctx = ctxOf(database, await make.reviewerOf(communityId))
  return { ctx, commentId, input: inputOf('comment', commentId) }
}

const inputOf = (subjectType: string, subjectId: string, more: object = {}) =>
  TranslateInput.parse({ subjectType, subjectId, version: 1, target: 'de', ...more })

const translate = (ctx: Ctx, input: TranslateInput) => translateItem(ctx, input, parts)

test('nothing is sent until an admin sets a service and turns translation on, nor after it is off again', async () => {
  const { ctx, input } = await held()
  expect(await translate(ctx, input)).toEqual({ problem: 'off' })
  expect(await switchTranslation(admin, { version: await version(), isOn: true }, parts).catch(failureOf)).toBe(
    'NOT_FOUND',
  )
  await changeTranslation(admin, { version: await version(), service: { url: stub.url } }, parts)
  expect(await translate(ctx, input)).toEqual({ problem: 'off' })
  expect(stub.asked).toEqual([])

  await switchTranslation(admin, { version: await version(), isOn: true }, parts)
  expect(await translate(ctx, input)).toEqual({ text: 'suot à ruojnoB', language: 'fr', isPartial: false })
  expect(stub.asked).toEqual([
    { path: '/translate', q: 'Bonjour à tous', source: 'auto', target: 'de', format: 'text' },
  ])
  await changeTranslation(admin, { version: await version(), service: null }, parts)
  expect(await readTranslationSettings(admin, parts)).toMatchObject({ isOn: false })
  expect(await translate(ctx, input)).toEqual({ problem: 'off' })
})

test('who may not review an item gets no translation of it, and a text that has changed is not sent', async () => {
  await turnOn()
  const { ctx, input, commentId } = await held()
  const stranger = (await held()).ctx
  expect(await translate(stranger, input).catch(failureOf)).toBe('NOT_FOUND')
  await prisma.comment.update({ where: { commentId }, data: { data: { text: 'Autre chose' }, version: 2 } })
  await prisma.reviewItem.updateMany({ where: { subjectId: commentId }, data: { version: 2 } })
  expect(await translate(ctx, input).catch(failureOf)).toBe('CHANGED')
  expect(stub.asked).toEqual([])
})

test('a message of a private conversation is sent only for those who have opened it', async () => {
  await turnOn()
  const channels = channelFactoriesOf(database)
  const { channelId } = await channels.channel({ type: 'conversation' })
  const [author, reporter] = [await channels.channelUser({ channelId }), await channels.channelUser({ channelId })]
  const { messageId } = await channels.message({ channelId, userId: author.userId, data: { text: 'Un secret' } })
  await flag(ctxOf(database, asUser(reporter.userId)), flaggableMessage, { id: messageId, flag: { reason: 'spam' } })
  const moderator = async (...more: 'READ_CONVERSATIONS'[]) =>
    ctxOf(database, {
      ...{ kind: 'admin', userId: (await make.user()).userId, name: 'Moderator', rank: 600 },
      permissions: new Set(['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_CHANNELS', ...more] as const),
    })
  const input = inputOf('message', messageId, { isReported: true })
  expect(await translate(await moderator(), input).catch(failureOf)).toBe('NOT_FOUND')
  const reader = await moderator('READ_CONVERSATIONS')
  expect(await translate(reader, input)).toEqual({ problem: 'empty' })
  expect(stub.asked).toEqual([])
  await openConversation(reader, { messageId, reason: 'Reported as a threat' })
  expect(await translate(reader, input)).toMatchObject({ text: 'terces nU' })
})

test('of a post the title is translated too; of a long text its beginning, up to a word', async () => {
  await turnOn()
  const { communityId } = await make.community()
  const { postId } = await make.heldPost({ communityId, data: { title: 'Un titre', text: 'mot '.repeat(2_000) } })
  const ctx = ctxOf(database, await make.reviewerOf(communityId))
  expect(await translate(ctx, inputOf('post', postId))).toMatchObject({ isPartial: true })
  const [asked] = stub.asked
  expect(asked?.q).toMatch(/^Un titre\n\nmot .*mot$/s)
  expect(asked?.q.length).toBeLessThanOrEqual(TRANSLATED_LENGTH)
})

test('callers who ask at once, and those who ask within the hour, share one request; another language or text is another', async () => {
  await turnOn()
  const { ctx, input } = await held()
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  stub.answerWith(async () => {
    arrived.resolve()
    await gate.promise
    return { body: { translatedText: 'Hallo zusammen' } }
  })
  const first = translate(ctx, input)
  await arrived.promise
  const second = translate(ctx, input)
  gate.resolve()
  expect(await Promise.all([first, second])).toEqual([
    { text: 'Hallo zusammen', isPartial: false },
    { text: 'Hallo zusammen', isPartial: false },
  ])
  await translate(ctx, input)
  expect(stub.asked).toHaveLength(1)
  await translate(ctx, { ...input, target: 'en' })
  expect(stub.asked).toHaveLength(2)
  const later = { ...ctx, now: () => new Date(Date.now() + 3_600_001) }
  await translate(later, input)
  expect(stub.asked).toHaveLength(3)
})

test('what is kept is bounded, and what failed is not kept', async () => {
  const memory = createTranslationMemory(10)
  const now = new Date()
  let asked = 0
  const once = (key: string, text?: string) =>
    memory.once(key, now, async () => {
      asked += 1
      return text === undefined ? {} : { text }
    })
  for (const key of ['a', 'b', 'a']) await once(key, 'x'.repeat(6))
  expect(asked).toBe(3)
  await once('a', 'x')
  expect(asked).toBe(3)
  await once('c')
  await once('c')
  expect(asked).toBe(5)
})

test('one person has so many texts translated in a minute, and others go on', async () => {
  await turnOn()
  const { ctx, input } = await held()
  const { userId = '' } = ctx.actor as { userId?: string }
  for (let count = 0; count < TRANSLATIONS_A_MINUTE; count += 1) await parts.memory.count(userId)
  expect(await translate(ctx, input).catch(failureOf)).toBe('RATE_LIMITED')
  expect(stub.asked).toEqual([])
  const other = await held()
  expect(await translate(other.ctx, other.input)).toMatchObject({ language: 'fr' })
})

describe('a service that fails says why, and is asked again the next time', () => {
  test.each([
    ['an answer that is no JSON', { body: '<html>' }, { problem: 'answer' }],
    ['an empty translation', { body: { translatedText: ' ' } }, { problem: 'answer' }],
    ['a translation of another type', { body: { translatedText: ['a'] } }, { problem: 'answer' }],
    ['an endless translation', { body: { translatedText: 'x'.repeat(300_000) } }, { problem: 'answer' }],
    ['a refused key', { status: 403, body: { error: 'no' } }, { problem: 'key', status: 403 }],
    ['too many requests', { status: 429, body: {} }, { problem: 'busy', status: 429 }],
    ['an unsupported language', { status: 400, body: { error: 'no' } }, { problem: 'status', status: 400 }],
    ['an error', { status: 500, body: '' }, { problem: 'status', status: 500 }],
  ])('%s', async (_, answer, expected) => {
    await turnOn()
    const { ctx, input } = await held()
    stub.answerWith(() => answer)
    expect(await translate(ctx, input)).toMatchObject(expected)
    stub.answerWith()
    expect(await translate(ctx, input)).toMatchObject({ language: 'fr' })
  })

  test('what is not the name of a language is left out', async () => {
    await turnOn()
    const { ctx, input } = await held()
    stub.answerWith(() => ({ body: { translatedText: 'Hallo', detectedLanguage: { language: '<b>' } } }))
    expect(await translate(ctx, input)).toEqual({ text: 'Hallo', isPartial: false })
  })

  test('one that is slow or away', async () => {
    const service = { url: stub.url, apiKey: undefined, isTrusted: false }
    const asked = { text: 'Bonjour', target: 'de' }
    stub.answerWith(() => 'hangs')
    const limits = { allowsLoopback: true, timeLimitMs: 100 }
    expect(await askService(service, asked, limits)).toMatchObject({ problem: 'timeout' })
    const away = { ...service, url: 'http://127.0.0.1:1' }
    expect(await askService(away, asked, limits)).toMatchObject({ problem: 'connection' })
  })
})

test('only the operator names a service of their own network', async () => {
  const asked = { text: 'Bonjour', target: 'de' }
  const inside = { allowsLoopback: false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }
  const service = { url: `http://translate.internal:${new URL(stub.url).port}/`, apiKey: undefined }
  expect(await askService({ ...service, isTrusted: false }, asked, inside)).toMatchObject({ problem: 'address' })
  expect(await askService({ ...service, isTrusted: true }, asked, inside)).toMatchObject({ language: 'fr' })

  const fixed = { ...parts, service: { url: stub.url, apiKey: 'k' } }
  expect(await readTranslationSettings(admin, fixed)).toMatchObject({
    isFromEnvironment: true,
    isOn: false,
    service: { url: stub.url, hasApiKey: true },
  })
  const removing = { version: await version(), service: null }
  expect(await changeTranslation(admin, removing, fixed).catch(failureOf)).toBe('FORBIDDEN')
  const outside = { ...parts, allowsLoopback: false }
  for (const url of ['http://translate.example', 'https://10.0.0.1', 'https://user:word@translate.example'])
    expect(
      await changeTranslation(admin, { version: await version(), service: { url } }, outside).catch(failureOf),
    ).toBe('INVALID_PARAMETERS')
})

test('the API key is stored sealed, never shown or logged, and not sent to another address', async () => {
  const staff = await createStaffAccount(database, { roleId: 'global-admin', name: 'Ada' })
  const ada = ctxOf(database, {
    ...{ kind: 'admin', userId: staff.userId, name: 'Ada', staffId: staff.staffId, rank: 1_000 },
    permissions: new Set(['MANAGE_CREDENTIALS'] as const),
  })
  await turnOn({ url: stub.url, apiKey: 'a secret' })
  const shown = [await changeTranslation(ada, { version: await version(), service: { url: stub.url } }, parts)]
  expect(await testTranslation(ada, parts)).toMatchObject({ text: '.elpmexe nu tse iceC' })
  expect(stub.asked.map(({ api_key }) => api_key)).toEqual(['a secret'])
  expect(await testTranslation(ada, { ...parts, key: Buffer.alloc(32) })).toMatchObject({ problem: 'secret' })
  const other = { version: await version(), service: { url: `${stub.url}/other` } }
  shown.push(await changeTranslation(ada, other, parts))
  expect(shown.map(({ service }) => service?.hasApiKey)).toEqual([true, false])

  const logged = await prisma.audit.findMany({ where: { subjectType: 'translation' } })
  expect(logged.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['translation.changed', 'translation.switchedOn', 'translation.tested']),
  )
  const inLog = JSON.stringify(logged.map(({ after }) => after))
  expect(JSON.stringify(shown) + inLog).not.toContain('a secret')
  expect(inLog).not.toContain('/other')
  const { apiKey } = await prisma.translationSettings.findUniqueOrThrow({ where: { id: 1 } })
  expect(Buffer.from(apiKey ?? []).toString()).not.toContain('a secret')
})

test('of two admins who change it at once, one does; nobody else may read, change, switch or test it', async () => {
  const seen = await version()
  const change = () => changeTranslation(admin, { version: seen, service: null }, parts).catch(failureOf)
  expect((await Promise.all([change(), change()])).filter((result) => result === 'CHANGED')).toHaveLength(1)
  expect(await switchTranslation(admin, { version: seen, isOn: false }, parts).catch(failureOf)).toBe('CHANGED')
  expect(await testTranslation(admin, parts).catch(failureOf)).toBe('UNAUTHORIZED')
  const { ctx } = await held()
  for (const act of [
    () => readTranslationSettings(ctx, parts),
    () => changeTranslation(ctx, { version: seen, service: null }, parts),
    () => switchTranslation(ctx, { version: seen, isOn: true }, parts),
    () => testTranslation(ctx, parts),
  ])
    expect(await act().catch(failureOf)).toBe('FORBIDDEN')
})
