import { describe, expect, test } from 'vitest'
import { DomainError } from '#server/core/errors.ts'
import { readFlags } from '#server/modules/network/settings/read-flags.ts'
import { updateModerationSettings } from '#server/modules/network/settings/update-moderation-settings.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()
const user = await tokenOf((await make.user()).userId)
const MODERATION = '/api/v3/network-settings/moderation'

const adminWith = (roleId: string) => adminTokenOf(database, roleId)

describe('endpoint 4', () => {
  test('changes the given settings, keeps the rest, and answers both flags and nothing else', async () => {
    const put = async (body: unknown) => (await call('PUT', MODERATION, { token: admin, body })).body
    expect(await put({ isWhitelistEnabled: true })).toEqual({ isWhitelistEnabled: true, isReportEnabled: false })
    expect(await put({ isReportEnabled: true })).toEqual({ isWhitelistEnabled: true, isReportEnabled: true })
    expect(await put({})).toEqual({ isWhitelistEnabled: true, isReportEnabled: true })
    expect(await put({ isWhitelistEnabled: false, isReportEnabled: false, other: 1 })).toEqual({
      isWhitelistEnabled: false,
      isReportEnabled: false,
    })
    expect((await call('GET', MODERATION, { token: admin })).body).toEqual({
      isWhitelistEnabled: false,
      isReportEnabled: false,
    })
  })

  test('logs and publishes each change once, and nothing if nothing changes', async () => {
    const count = async () => [
      await database.prisma.audit.count({ where: { action: 'network.moderationUpdated' } }),
      await database.prisma.event.count({ where: { name: 'network.moderationDidUpdate' } }),
    ]
    const [audits = 0, events = 0] = await count()
    await call('PUT', MODERATION, { token: admin, body: { isReportEnabled: true } })
    await call('PUT', MODERATION, { token: admin, body: { isReportEnabled: true } })
    expect(await count()).toEqual([audits + 1, events + 1])
    const event = await database.prisma.event.findFirstOrThrow({ orderBy: { eventId: 'desc' } })
    expect(event).toMatchObject({
      name: 'network.moderationDidUpdate',
      payload: { isWhitelistEnabled: false, isReportEnabled: true },
    })
  })

  const refused: [string, unknown][] = [
    ['a word for a flag', { isWhitelistEnabled: 'true' }],
    ['null for a flag', { isReportEnabled: null }],
    ['a number for a flag', { isReportEnabled: 1 }],
    ['a list', [true]],
    ['no body', undefined],
    ['what is no JSON', '{"isReportEnabled":'],
  ]
  test.each(refused)('rejects %s with 400000', async (_what, body) => {
    const { status, body: answer } = await call('PUT', MODERATION, { token: admin, body })
    expect([status, answer.code, answer.message]).toEqual([400, 400000, 'Bad Request.'])
  })
})

describe('reading network settings', () => {
  test('the flags require admin context; chat, community and feed settings are open to everyone who is signed in', async () => {
    expect(await call('GET', MODERATION, { token: user })).toMatchObject({ status: 403, body: { code: 400300 } })
    expect((await call('GET', MODERATION, { token: await adminWith('support') })).status).toBe(200)
    expect((await call('GET', '/api/v3/network-settings/chat', { token: user })).body).toEqual({
      messagePreview: { enabled: true, isIncludeDeleted: false },
    })
    expect((await call('GET', '/api/v3/network-settings/social', { token: user })).body).toEqual({
      socialNetworkSetting: { isAllowEditCommentWhenReviewingEnabled: true },
    })
    expect((await call('GET', '/api/v3/network-settings/feed-setting', { token: user })).body).toEqual({
      feedSettings: [],
    })
    expect((await call('GET', '/api/v3/network-settings/product', { token: user })).body).toEqual({
      product: { enabled: false },
    })
    expect((await call('GET', '/api/v3/network-settings/uikit', { token: user })).body).toEqual({})
    for (const settings of ['chat', 'social', 'feed-setting', 'product', 'uikit']) {
      expect((await call('GET', `/api/v3/network-settings/${settings}`)).status).toBe(401)
    }
  })
})

describe('GET roles', () => {
  test('lists roles highest first, each with its permissions, and pages both ways', async () => {
    const roles = async (query: string) => (await call('GET', `/api/v3/roles${query}`, { token: user })).body
    const all = await roles('')
    expect(all.roles.map((role: { roleId: string }) => role.roleId)).toEqual([
      'global-admin',
      'super-moderator',
      'moderator',
      'support',
      'community-owner',
      'community-moderator',
      'channel-owner',
      'channel-moderator',
    ])
    expect(all.roles[5]).toMatchObject({ displayName: 'Community moderator', isDeleted: false })
    expect(all.roles[5].permissions).toContain('REVIEW_COMMUNITY_COMMENT')
    expect(all.paging).toEqual({})

    const first = await roles('?options[limit]=4')
    const second = await roles(`?options[token]=${encodeURIComponent(first.paging.next)}`)
    expect([...first.roles, ...second.roles]).toEqual(all.roles)
    expect(second.paging.previous).toBe(second.paging.prev)
    expect((await roles(`?options[token]=${encodeURIComponent(second.paging.prev)}`)).roles).toEqual(first.roles)
  })
})

test('the desk shows who last changed each flag and when, independent of the other flag', async () => {
  const { userId } = await make.user({ displayName: 'Mina Karki' })
  const person = { ...asAdmin(['MANAGE_NETWORK_SETTINGS']), userId }
  const by = (at: string) => ctxOf(database, person, { now: () => new Date(at) })
  await updateModerationSettings(by('2026-01-01T00:00:00Z'), { isWhitelistEnabled: false, isReportEnabled: false })
  await updateModerationSettings(by('2026-01-02T00:00:00Z'), { isWhitelistEnabled: true })
  await updateModerationSettings(by('2026-01-03T00:00:00Z'), { isReportEnabled: true })
  const who = { userId, displayName: 'Mina Karki' }
  expect(await readFlags(by('2026-01-04T00:00:00Z'))).toEqual({
    settings: { isWhitelistEnabled: true, isReportEnabled: true },
    changes: {
      isWhitelistEnabled: { at: '2026-01-02T00:00:00.000Z', by: who },
      isReportEnabled: { at: '2026-01-03T00:00:00.000Z', by: who },
    },
  })
  const support = ctxOf(database, asAdmin(['VIEW_USERS']))
  await expect(readFlags(support)).rejects.toThrow(DomainError)
})
