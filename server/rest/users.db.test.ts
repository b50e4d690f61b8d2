import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const { call, tokenOf, staff } = await testApi(database)
const admin = await tokenOf()
const [support, moderator, superModerator] = await Promise.all(
  ['support', 'moderator', 'super-moderator'].map((roleId) => adminTokenOf(database, roleId)),
)

/** A user with their own token. */
async function person(over: Parameters<typeof make.user>[0] = {}) {
  const { userId } = await make.user(over)
  return { userId, token: await tokenOf(userId) }
}

const ids = (body: { users: { userId: string }[] }) => body.users.map((user) => user.userId)
const forbidden = { status: 403, body: { code: 400300 } }
const notFound = { status: 404, body: { code: 400400 } }
const invalid = { status: 422, body: { code: 500000, message: 'Parameters validation error' } }

describe('reading users', () => {
  test('one answers with every field, by either id, also once deleted', async () => {
    const { userId } = await person({ displayName: 'Ünal 漢字', roles: ['support'] })
    const file = await database.prisma.file.create({ data: { fileId: `file-${randomUUID()}`, type: 'image' } })
    const stored = await database.prisma.user.update({
      where: { userId },
      data: {
        profileHandle: `handle-${userId}`,
        description: 'About',
        avatarFileId: file.fileId,
        avatarCustomUrl: 'https://example.org/a.png',
        metadata: { a: [1] },
        isDeleted: true,
      },
    })
    const { status, body } = await call('GET', `/api/v3/users/${userId}`, { token: admin })
    expect(status).toBe(200)
    expect(body.users).toEqual([
      {
        userId,
        _id: stored.internalId,
        path: `docket/user/${stored.internalId}`,
        userInternalId: stored.internalId,
        userPublicId: userId,
        roles: ['support'],
        permissions: ['VIEW_CHANNELS', 'VIEW_HISTORY', 'VIEW_USERS'],
        displayName: 'Ünal 漢字',
        profileHandle: `handle-${userId}`,
        description: 'About',
        avatarFileId: file.fileId,
        avatarCustomUrl: 'https://example.org/a.png',
        metadata: { a: [1] },
        flagCount: 0,
        isGlobalBan: false,
        isBrand: false,
        isDeleted: true,
        createdAt: stored.createdAt.toISOString(),
        updatedAt: stored.updatedAt.toISOString(),
      },
    ])
    expect(body.files).toMatchObject([{ fileId: file.fileId }])
    expect((await call('GET', `/api/v3/users/${stored.internalId}?type=internal`, { token: admin })).body).toEqual(body)
    expect(await call('GET', `/api/v3/users/${stored.internalId}`, { token: admin })).toMatchObject(notFound)
  })

  test('several answer in the order requested, without unknown ones', async () => {
    const [one, two] = [await person(), await person()]
    const list = (query: string) => call('GET', `/api/v3/users/list?${query}`, { token: one.token })
    expect(ids((await list(`userIds[]=${two.userId}&userIds[]=nobody&userIds[]=${one.userId}`)).body)).toEqual([
      two.userId,
      one.userId,
    ])
    expect(ids((await list(`userIds=${one.userId}`)).body)).toEqual([one.userId])
    expect(await list('')).toMatchObject(invalid)
  })

  test('the list pages in each order without repeats or gaps, and takes a keyword literally', async () => {
    const { token } = await person()
    const mark = randomUUID()
    const names = ['50%', '50_', 'b\\c', 'Zoë', 'aaron'].map((name) => `${mark} ${name}`)
    const made: string[] = []
    for (const [index, displayName] of names.entries()) {
      const createdAt = new Date(Date.UTC(2025, 0, 1 + index))
      const { userId } = await database.prisma.user.create({ data: { userId: randomUUID(), displayName, createdAt } })
      made.push(userId)
    }
    const list = async (query: string) => (await call('GET', `/api/v3/users?${query}`, { token })).body
    const walk = async (query: string) => {
      const seen: string[] = []
      for (let next = ''; ; ) {
        const page = await list(`${query}&options[limit]=2&options[token]=${encodeURIComponent(next)}`)
        seen.push(...ids(page))
        if (page.paging.next === undefined) return seen
        next = page.paging.next
      }
    }
    expect(await walk(`keyword=${mark}&sortBy=firstCreated`)).toEqual(made)
    expect(await walk(`keyword=${mark}`)).toEqual(made.toReversed())
    const byName = (await list(`keyword=${mark}&sortBy=displayName`)).users.map((user: { displayName: string }) =>
      user.displayName.slice(mark.length + 1),
    )
    expect(byName).toEqual(['50%', '50_', 'aaron', 'b\\c', 'Zoë'])
    expect(await walk(`keyword=${mark}&sortBy=displayName`)).toHaveLength(5)
    expect(ids(await list(`keyword=${encodeURIComponent(`${mark} 50%`)}`))).toEqual([made[0]])
    expect(ids(await list(`keyword=${encodeURIComponent(`${mark} b\\`)}`))).toEqual([made[2]])
    expect(ids(await list(`keyword=${mark}&exactMatchKeyword=true`))).toEqual([])
    expect(ids(await list(`keyword=${encodeURIComponent(`${mark} AARON`)}&exactMatchKeyword=true`))).toEqual([made[4]])
    expect(ids(await list(`keyword=${made[1]}&searchBy[]=userId&searchBy[]=profileHandle`))).toEqual([made[1]])
  })

  test('the reported filter requires VIEW_USERS; deleted users are listed by default', async () => {
    const { token, userId } = await person({ displayName: `deleted ${randomUUID()}` })
    const deleted = await make.user({ displayName: `deleted ${userId}` })
    await database.prisma.user.update({ where: { userId: deleted.userId }, data: { isDeleted: true } })
    const list = (query: string) => call('GET', `/api/v3/users?keyword=${userId}&${query}`, { token })
    for (const both of ['', 'isDeleted=null', 'isDeleted=true'])
      expect(ids((await list(both)).body)).toEqual([deleted.userId])
    expect(ids((await list('isDeleted=false')).body)).toEqual([])
    expect(await list('filter=flagged')).toMatchObject(forbidden)
    expect((await call('GET', '/api/v3/users?filter=flagged', { token: support })).status).toBe(200)
    for (const wrong of ['sortBy=rank', 'filter=some', 'isDeleted=maybe', 'searchBy[]=email', 'options[limit]=101']) {
      expect(await list(wrong)).toMatchObject(invalid)
    }
  })
})

describe('writing a user', () => {
  test('one’s own profile changes as given, null removes a field, and others may not write it', async () => {
    const me = await person()
    const put = (body: unknown, token = me.token) => call('PUT', `/api/v3/users/${me.userId}`, { token, body })
    expect(
      (await put({ displayName: 'New', description: 'Words', metadata: { deep: { a: null } } })).body.users,
    ).toMatchObject([{ displayName: 'New', description: 'Words', metadata: { deep: { a: null } } }])
    const [bare] = (await put({ description: null, metadata: null })).body.users
    expect(bare).toMatchObject({ displayName: 'New' })
    expect(bare).not.toHaveProperty('description')
    expect(bare).not.toHaveProperty('metadata')

    expect(await put({ displayName: 'x' }, (await person()).token)).toMatchObject(forbidden)
    expect(await put({ displayName: 'x' }, moderator)).toMatchObject(forbidden)
    expect((await put({ displayName: 'By an admin' }, superModerator)).status).toBe(200)
    expect(await put({ isBrand: true })).toMatchObject(forbidden)
    expect((await put({ isBrand: true }, admin)).body.users).toMatchObject([{ isBrand: true }])
    expect(await call('PUT', '/api/v3/users/no-one', { token: admin, body: { displayName: 'x' } })).toMatchObject(
      notFound,
    )
  })

  test('enforces limits at their edges, and rejects what cannot be stored', async () => {
    const me = await person()
    const put = (body: unknown) =>
      call('PUT', '/api/v3/users/', { token: me.token, body: { userId: me.userId, ...(body as object) } })
    expect((await put({ displayName: '\u200b\u3164 ' })).body.users).toMatchObject([{ displayName: '' }])
    const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) })
    expect((await put({ metadata: deep(49) })).status).toBe(200)
    const wrong = [
      { profileHandle: '\u200b\u2060' },
      { metadata: { text: '\ud800' } },
      { metadata: { 'a\0b': 1 } },
      { metadata: deep(51) },
      { metadata: [] },
      { profileHandle: '' },
    ]
    for (const body of wrong) expect(await put(body)).toMatchObject(invalid)
  })

  test('a handle is unique: of two who take it at once, one learns that it exists', async () => {
    const [one, two] = [await person(), await person()]
    const profileHandle = `h-${randomUUID()}`
    const answers = await Promise.all(
      [one, two].map(({ userId, token }) => call('PUT', `/api/v3/users/${userId}`, { token, body: { profileHandle } })),
    )
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [200, undefined],
      [403, 400315],
    ])
  })

  test('a handle is not unique by case, width or characters that nobody sees', async () => {
    const [one, two, mark] = [await person(), await person(), randomUUID()]
    const put = ({ userId, token }: typeof one, profileHandle: string) =>
      call('PUT', `/api/v3/users/${userId}`, { token, body: { profileHandle } })
    expect(await put(one, `Ferry-${mark}`)).toMatchObject({ status: 200 })
    for (const handle of [`ferry-${mark}`, `ＦＥＲＲＹ-${mark}`, `Fer\u200bry\u2060-${mark}`]) {
      expect(await put(two, handle)).toMatchObject({ status: 403, body: { code: 400315 } })
    }
    expect(await put(one, `FERRY-${mark}`)).toMatchObject({
      status: 200,
      body: { users: [{ profileHandle: `FERRY-${mark}` }] },
    })
    expect(await put(two, `férry-${mark}`)).toMatchObject({ status: 200 })
  })

  test('an avatar must exist and be an image', async () => {
    const me = await person()
    const { fileId } = await database.prisma.file.create({ data: { fileId: `video-${randomUUID()}`, type: 'video' } })
    const put = (avatarFileId: string) =>
      call('PUT', `/api/v3/users/${me.userId}`, { token: me.token, body: { avatarFileId } })
    expect(await put('no-file')).toMatchObject(notFound)
    expect(await put(fileId)).toMatchObject(forbidden)
  })

  test('an unknown user is created for an admin who requests it, and for nobody else', async () => {
    const body = { userId: `new-${randomUUID()}`.slice(0, 50), displayName: 'New', createNewUserWhenNotFound: true }
    expect(await call('PUT', '/api/v3/users', { token: (await person()).token, body })).toMatchObject(notFound)
    expect((await call('PUT', '/api/v3/users', { token: superModerator, body })).body.users).toMatchObject([
      { userId: body.userId, displayName: 'New' },
    ])
    expect(await database.prisma.event.count({ where: { subjectId: body.userId, name: 'user.didCreate' } })).toBe(1)
  })
})

describe('network roles', () => {
  const give = (userId: string, roles: string[], token: string) =>
    call('PUT', `/api/v3/users/${userId}`, { token, body: { roles } })

  test('are given and removed by people of higher rank, never beyond what they hold', async () => {
    const { userId, token } = await person()
    expect(await give(userId, ['support'], token)).toMatchObject(forbidden)
    expect(await give(userId, ['support'], moderator ?? '')).toMatchObject(forbidden)
    expect(await give(userId, ['global-admin'], superModerator ?? '')).toMatchObject(forbidden)
    expect(await give(userId, ['community-moderator'], admin)).toMatchObject(forbidden)
    expect(await give(userId, ['no-such-role'], admin)).toMatchObject(notFound)
    expect((await give(userId, ['super-moderator', 'support'], superModerator ?? '')).body.users).toMatchObject([
      { roles: ['super-moderator', 'support'] },
    ])
    // Now of equal rank, and so not allowed.
    expect(await give(userId, [], superModerator ?? '')).toMatchObject(forbidden)
    expect((await give(userId, [], admin)).body.users).toMatchObject([{ roles: [] }])
    const audits = await database.prisma.audit.findMany({ where: { subjectId: userId, action: 'user.rolesChanged' } })
    expect(audits.map(({ after }) => after)).toEqual([{ roles: ['super-moderator', 'support'] }, { roles: [] }])
  })

  test('global admins manage each other, and of the last two who leave at once, one stays', async () => {
    await database.prisma.user.updateMany({ where: { roles: { has: 'global-admin' } }, data: { roles: [] } })
    const [one, two] = [await person({ roles: ['global-admin'] }), await person({ roles: ['global-admin'] })]
    const answers = await Promise.all([give(one.userId, [], admin), give(two.userId, [], admin)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const left = await database.prisma.user.findFirstOrThrow({ where: { roles: { has: 'global-admin' } } })
    expect(await give(left.userId, ['support'], admin)).toMatchObject(forbidden)
    expect(await call('POST', '/api/v2/users/ban', { token: admin, body: { userId: left.userId } })).toMatchObject({
      status: 403,
      body: { code: 400306 },
    })
  })
})

describe('global ban', () => {
  const ban = (userId: string, token: string | undefined, verb = 'ban') =>
    call('POST', `/api/v2/users/${verb}`, { ...(token !== undefined && { token }), body: { userId } })

  test('ends sessions and tokens at once and permanently, and can be lifted', async () => {
    const { userId, token } = await person()
    expect((await ban(userId, moderator)).body.users).toMatchObject([{ userId, isGlobalBan: true }])
    expect((await call('GET', '/api/v3/roles', { token })).status).toBe(401)
    expect(await ban(userId, moderator)).toMatchObject({ status: 403, body: { code: 400312 } })

    expect((await ban(userId, moderator, 'unban')).body.users).toMatchObject([{ isGlobalBan: false }])
    expect(await ban(userId, moderator, 'unban')).toMatchObject({ status: 403, body: { code: 400316 } })
    expect((await call('GET', '/api/v3/roles', { token })).status).toBe(401)
    expect((await call('GET', '/api/v3/roles', { token: await tokenOf(userId) })).status).toBe(200)
    expect(await database.prisma.ban.findMany({ where: { userId } })).toMatchObject([
      { scope: 'network', liftedAt: expect.any(Date) },
    ])
    const audits = await database.prisma.audit.findMany({ where: { subjectId: userId }, orderBy: { auditId: 'asc' } })
    expect(audits.map(({ action }) => action).filter((action) => action.includes('globally'))).toEqual([
      'user.globallyBanned',
      'user.globallyUnbanned',
    ])
  })

  test('removes desk access from staff', async () => {
    const { userId, staffId } = await staff({ roleId: 'support' })
    await database.prisma.staffSession.create({
      data: { id: randomUUID(), token: randomUUID(), userId: staffId, expiresAt: new Date(Date.now() + 60_000) },
    })
    expect((await ban(userId, moderator)).status).toBe(200)
    expect(await database.prisma.staffSession.count({ where: { userId: staffId } })).toBe(0)
  })

  test('only reaches people of lower rank, and needs BAN_USER in admin context', async () => {
    const peer = await make.user({ roles: ['moderator'] })
    expect(await ban(peer.userId, moderator)).toMatchObject({ status: 403, body: { code: 400306 } })
    expect((await ban(peer.userId, superModerator)).status).toBe(200)
    expect(await ban(peer.userId, moderator, 'unban')).toMatchObject(forbidden)
    const { userId } = await make.user()
    expect(await ban(userId, (await person()).token)).toMatchObject(forbidden)
    expect(await ban(userId, support)).toMatchObject(forbidden)
    expect(await ban('no-one', moderator)).toMatchObject(notFound)
    expect(await ban('', moderator)).toMatchObject(invalid)
    expect(await ban('u'.repeat(51), moderator)).toMatchObject(invalid)
    expect(await ban(userId, undefined)).toMatchObject({ status: 401 })
  })

  test('of two bans at once exactly one counts', async () => {
    const { userId } = await make.user()
    const answers = await Promise.all([ban(userId, moderator), ban(userId, superModerator)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await database.prisma.audit.count({ where: { subjectId: userId, action: 'user.globallyBanned' } })).toBe(1)
  })
})

describe('flags', () => {
  test('one person’s report counts once, shows as hashFlag, and can be withdrawn', async () => {
    const [me, other, third] = [await person(), await person(), await person()]
    const path = `/api/v4/me/flags/${other.userId}`
    const isMine = async () => {
      const ask = (word: string) => call('GET', `/api/v3/users/${other.userId}/${word}`, { token: me.token })
      const [one, same] = [await ask('isFlagByMe'), await ask('isflagbyme')]
      expect(same.body).toEqual(one.body)
      return one.body
    }
    expect(await isMine()).toEqual({ isFlagByMe: false })
    const [flagged] = (await call('POST', path, { token: me.token, body: { reason: 'Spam', detail: 'links' } })).body
      .users
    expect(flagged).toMatchObject({ userId: other.userId, flagCount: 1, hashFlag: { hash: [] } })
    expect((await call('POST', path, { token: me.token })).body.users).toMatchObject([{ flagCount: 1 }])
    expect((await call('POST', path, { token: third.token })).body.users).toMatchObject([{ flagCount: 2 }])
    expect(await isMine()).toEqual({ isFlagByMe: true })
    expect((await call('DELETE', path, { token: me.token })).body.users).toMatchObject([{ flagCount: 1 }])
    expect((await call('DELETE', path, { token: me.token })).body.users).toMatchObject([{ flagCount: 1 }])
    const [clean] = (await call('DELETE', path, { token: third.token })).body.users
    expect(clean).toMatchObject({ flagCount: 0 })
    expect(clean).not.toHaveProperty('hashFlag')
    expect(await isMine()).toEqual({ isFlagByMe: false })
  })

  test('people who may ban the person can clear all reports at once, which is logged and published once', async () => {
    const [one, two, other] = [await person(), await person(), await person()]
    for (const { token } of [one, two]) await call('POST', `/api/v4/me/flags/${other.userId}`, { token })
    const clear = (userId: string, token = '') => call('DELETE', `/api/v2/users/${userId}/flags`, { token })
    expect(await clear(other.userId, other.token)).toMatchObject(forbidden)
    expect(await clear(other.userId, support)).toMatchObject(forbidden)
    expect(await clear('no-one', admin)).toMatchObject(notFound)

    const [clean] = (await clear(other.userId, admin)).body.users
    expect(clean).toMatchObject({ flagCount: 0 })
    expect(clean).not.toHaveProperty('hashFlag')
    expect((await clear(other.userId, admin)).status).toBe(200)
    const isMine = await call('GET', `/api/v3/users/${other.userId}/isFlagByMe`, { token: one.token })
    expect(isMine.body).toEqual({ isFlagByMe: false })
    const about = { subjectId: other.userId }
    expect(await database.prisma.audit.count({ where: { ...about, action: 'user.flagsCleared' } })).toBe(1)
    expect(await database.prisma.event.count({ where: { ...about, name: 'user.didClearFlag' } })).toBe(1)
  })

  test('rejects oneself, an admin token, an unknown user and a reason of 301 characters', async () => {
    const [me, other] = [await person(), await person()]
    const flag = (userId: string, token: string, body?: unknown) =>
      call('POST', `/api/v4/me/flags/${userId}`, { token, body })
    expect(await flag(me.userId, me.token)).toMatchObject(forbidden)
    expect(await flag(other.userId, admin)).toMatchObject(forbidden)
    expect(await flag('no-one', me.token)).toMatchObject(notFound)
    expect(await flag(other.userId, me.token, { reason: 'r'.repeat(301) })).toMatchObject(invalid)
    expect((await flag(other.userId, me.token, { reason: 'r'.repeat(300), detail: 'd'.repeat(300) })).status).toBe(200)
  })
})
