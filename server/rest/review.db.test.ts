import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()
const { communityId } = await make.community()
const queue = (query = '', id = communityId) =>
  `/api/v3/communities/${encodeURIComponent(id)}/comments/review-queue${query}`

describe('endpoint 1', () => {
  test('answers the queue, newest held first, with authors, memberships, replies and files', async () => {
    const space = await make.community()
    const author = await make.user({ displayName: 'Ünal 漢字' })
    await make.member({ communityId: space.communityId, userId: author.userId })
    const file = await database.prisma.file.create({ data: { fileId: 'file-1', type: 'image' } })
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const older = await make.heldComment({
      communityId: space.communityId,
      userId: author.userId,
      createdAt: at(9),
      queuedAt: at(10),
      attachments: [{ type: 'image', fileId: file.fileId }],
    })
    const newer = await make.heldComment({ communityId: space.communityId, createdAt: at(1), queuedAt: at(20) })
    const reply = await make.heldComment({
      communityId: space.communityId,
      parentId: older.commentId,
      createdAt: at(2),
      queuedAt: at(5),
    })
    await make.heldComment({ communityId: space.communityId, approvalStatus: 'approved' })
    await make.heldComment({ communityId: space.communityId, isDeleted: true })
    await make.heldComment()

    const { status, body } = await call('GET', queue('', space.communityId), { token: admin })

    expect(status).toBe(200)
    expect(body.comments.map((comment: { commentId: string }) => comment.commentId)).toEqual([
      newer.commentId,
      older.commentId,
      reply.commentId,
    ])
    expect(body.commentChildren.map((comment: { commentId: string }) => comment.commentId)).toEqual([reply.commentId])
    expect(body.comments[1]).toMatchObject({
      children: [reply.commentId],
      approvalStatus: 'pending',
      createdAt: '2026-01-01T00:09:00.000Z',
      targetId: space.communityId,
      targetType: 'community',
    })
    expect(body.comments[1]).not.toHaveProperty('parentId')
    expect(Object.values(body.comments[1])).not.toContain(null)
    expect(body.users.find((user: { userId: string }) => user.userId === author.userId)).toMatchObject({
      displayName: 'Ünal 漢字',
      roles: [],
      userPublicId: author.userId,
    })
    expect(body.communityUsers).toMatchObject([
      { userId: author.userId, communityMembership: 'member', isBanned: false },
    ])
    expect(body.files).toMatchObject([{ fileId: 'file-1', type: 'image' }])
    expect(Object.keys(body).sort()).toEqual(['commentChildren', 'comments', 'communityUsers', 'files', 'users'])
  })

  const rejected: [string, string][] = [
    ['a day that does not exist', '?startDate=2026-02-30'],
    ['a date in another form', '?endDate=2026-2-3'],
    ['an unknown zone', '?timeZone=Mars/Olympus'],
    ['an offset in place of a zone', '?timeZone=%2B05:30'],
    ['a start after the end', '?startDate=2026-02-02&endDate=2026-02-01'],
    ['a limit that is no number', '?options[limit]=ten'],
    ['an empty limit', '?options[limit]='],
    ['a skip of 1.5', '?options[skip]=1.5'],
    ['a lone surrogate in a post id', '?postId=%ED%A0%80'],
    ['a list where a text belongs', '?postId[]=a&postId[]=b'],
    ['the same name twice', '?timeZone=UTC&timeZone=UTC'],
    ['an object where a text belongs', '?startDate[a]=2026-01-01'],
    ['a text where options belong', '?options=10'],
    ['a query that cannot be decoded', '?postId=%E0%A4%A'],
  ]
  test.each(rejected)('rejects %s with 400000', async (_what, query) => {
    const { status, body } = await call('GET', queue(query), { token: admin })
    expect([status, body.status, body.code, body.message]).toEqual([400, 'error', 400000, 'Bad Request.'])
    expect(body.data.detail[0]).toEqual(expect.any(String))
  })

  const edges: [string, string][] = [
    ['a skip far beyond the end', '?options[skip]=9007199254740991'],
    ['a leap day', '?startDate=2028-02-29&endDate=2028-02-29'],
    ['one date alone', '?endDate=2026-01-01'],
    ['a zone by a former name', '?startDate=2026-01-01&timeZone=Asia/Calcutta'],
    ['a parameter it does not know', '?colour=blue'],
    ['bytes that are no UTF-8 in a parameter it does not know', '?colour=%20'],
  ]
  test.each(edges)('accepts %s', async (_what, query) => {
    const { status } = await call('GET', queue(query), { token: admin })
    expect(status).toBe(200)
  })

  test('pages by limit and skip without repeats or gaps, 10 by default', async () => {
    const space = await make.community()
    const ids: string[] = []
    for (let index = 0; index < 25; index += 1) {
      // Three share one moment: ties are ordered by id.
      const queuedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, 60 - Math.floor(index / 3)))
      ids.push(
        (
          await make.heldComment({
            communityId: space.communityId,
            commentId: `tie-${String(index).padStart(2, '0')}`,
            queuedAt,
          })
        ).commentId,
      )
    }
    const page = async (query: string) =>
      (await call('GET', queue(query, space.communityId), { token: admin })).body.comments.map(
        (comment: { commentId: string }) => comment.commentId,
      )

    expect(await page('')).toEqual(ids.slice(0, 10))
    expect([
      ...(await page('?options[limit]=9')),
      ...(await page('?options[limit]=9&options[skip]=9')),
      ...(await page('?options[limit]=9&options[skip]=18')),
    ]).toEqual(ids)
    expect(await page('?options[skip]=25')).toEqual([])
  })
})

describe('access', () => {
  test('rejects missing, wrong, expired and revoked tokens with 401', async () => {
    const expired = await tokenOf()
    const revoked = await tokenOf()
    const { digestOf } = await import('#server/core/ids.ts')
    const digest = (token: string) => new Uint8Array(digestOf(token))
    await database.prisma.accessToken.update({ where: { digest: digest(expired) }, data: { expiresAt: new Date(0) } })
    await database.prisma.accessToken.update({ where: { digest: digest(revoked) }, data: { revokedAt: new Date() } })
    for (const token of [undefined, 'dka_wrong', expired, revoked, '']) {
      const { status, body } = await call('GET', queue(), token === undefined ? {} : { token })
      expect([status, body]).toEqual([401, { status: 'error', code: 400100, message: 'Unauthorized' }])
    }
  })

  test('a user token never has a network role, and a banned user has no access', async () => {
    const moderator = await make.user({ roles: ['global-admin'] })
    expect((await call('GET', queue(), { token: await tokenOf(moderator.userId) })).status).toBe(403)
    const token = await tokenOf((await make.reviewerOf(communityId)).userId)
    expect((await call('GET', queue(), { token })).status).toBe(200)
    const banned = await make.reviewerOf(communityId)
    const bannedToken = await tokenOf(banned.userId)
    await database.prisma.user.update({ where: { userId: banned.userId }, data: { isGlobalBan: true } })
    expect((await call('GET', queue(), { token: bannedToken })).status).toBe(401)
  })
})

describe('approve and decline', () => {
  test('answer the decided comment, and 409 with who decided once it is decided', async () => {
    const comment = await make.heldComment()
    const path = `/api/v3/comments/${comment.commentId}`

    const approved = await call('POST', `${path}/approve`, { token: admin })
    expect([approved.status, approved.body.comments]).toMatchObject([
      200,
      [{ commentId: comment.commentId, approvalStatus: 'approved', isDeleted: false }],
    ])

    const again = await call('POST', `${path}/decline`, { token: admin, body: { reason: 'late' } })
    expect([again.status, again.body]).toMatchObject([
      409,
      { status: 'error', code: 400409, message: 'The item has changed.', data: { decision: 'approved', version: 2 } },
    ])
  })

  test('a decline accepts a reason of 250 characters and rejects 251, a number and a body that is not JSON', async () => {
    const decline = async (body: unknown) =>
      call('POST', `/api/v3/comments/${(await make.heldComment()).commentId}/decline`, { token: admin, body })
    expect((await decline({ reason: 'r'.repeat(250) })).body.comments).toMatchObject([
      { approvalStatus: 'rejected', isDeleted: true },
    ])
    expect((await decline({})).status).toBe(200)
    expect((await decline('')).status).toBe(200)
    expect(await decline({ reason: 'r'.repeat(251) })).toMatchObject({
      status: 422,
      body: { code: 500000, message: 'Parameters validation error' },
    })
    expect(await decline({ reason: 5 })).toMatchObject({ status: 422 })
    expect(await decline('[1]')).toMatchObject({ status: 422 })
    expect(await decline('{"reason":')).toMatchObject({ status: 400, body: { code: 400000 } })
    expect(await decline({ reason: 'x'.repeat(1_000_001) })).toMatchObject({
      status: 413,
      body: { code: 500000, message: 'Payload too large.' },
    })
  })
})

describe('every answer', () => {
  test('has a request id: the caller’s if it is harmless, else its own', async () => {
    expect(
      (await call('GET', queue(), { token: admin, headers: { 'x-request-id': 'abc-1' } })).headers.get('x-request-id'),
    ).toBe('abc-1')
    expect(
      (await call('GET', queue(), { headers: { 'x-request-id': 'a b<script>' } })).headers.get('x-request-id'),
    ).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('uses the error envelope for unknown paths, undecodable paths and ids longer than any', async () => {
    for (const path of ['/api/v3/nothing', '/api/v9/communities']) {
      expect(await call('GET', path, { token: admin })).toMatchObject({
        status: 404,
        body: { status: 'error', code: 400400 },
      })
    }
    expect(await call('GET', '/api/v3/communities/%E0%A4%A/comments/review-queue', { token: admin })).toMatchObject({
      status: 400,
      body: { code: 400000 },
    })
    expect((await call('GET', queue('', 'c'.repeat(20_000)), { token: admin })).status).toBe(404)
  })
})
