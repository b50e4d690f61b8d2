import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/core/db.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { eraseTextsOn } from '#server/modules/ledger/audit/erase-texts.ts'
import { openReport } from '#server/modules/ledger/audit/open-report.ts'
import { readReport } from '#server/modules/ledger/audit/read-report.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { updateModerationSettings } from '#server/modules/network/settings/update-moderation-settings.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const { call, url, tokenOf } = await testApi(database)
const admin = await tokenOf()
const support = await adminTokenOf(database, 'support')
const REPORTS = '/api/v1/reports/moderation-activity'
const HEADER =
  'network_id,user_id,event,note,content_type,content_public_id,target_type,target_id,is_ai,created_at,updated_at,metadata'

/** Tests that write for a day of their own choose an earlier one. */
const FIRST_DAY = new Date().toISOString().slice(0, 10)

async function switchTo(isReportEnabled: boolean): Promise<void> {
  const answer = await call('PUT', '/api/v3/network-settings/moderation', { token: admin, body: { isReportEnabled } })
  expect(answer.body.isReportEnabled).toBe(isReportEnabled)
}

/** Follows the redirect as a browser does, without the token. */
async function download(fileId: string, token = support): Promise<string> {
  const sent = await fetch(`${url}${REPORTS}/download?fileId=${fileId}`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
  })
  expect(sent.status).toBe(302)
  const file = await fetch(`${url}${sent.headers.get('location')}`)
  expect([file.status, file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    'no-store',
  ])
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="moderation-activity-${fileId}.csv"`)
  return file.text()
}

/** Parses RFC 4180, including quotes and line breaks in cells. */
function parse(csv: string): Record<string, string>[] {
  const records: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') records.push([])
  }
  const [names = [], ...rows] = records.slice(0, -1)
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

/** All that this file's tests have done, whichever day it is by now. */
async function rowsDone() {
  const { body } = await call('GET', `${REPORTS}?limit=100`, { token: support })
  const days = body.reports.map(({ fileId }: { fileId: string }) => fileId).filter((day: string) => day >= FIRST_DAY)
  const files = await Promise.all(days.sort().map((day: string) => download(day)))
  return files.flatMap(parse)
}

const rowsAbout = async (id: string) => (await rowsDone()).filter((row) => row.content_public_id === id)

const aDay = (day: string) => () => new Date(day)

describe('collected acts', () => {
  test('start when collection is on and stop when it is off; collected acts stay', async () => {
    const { communityId } = await make.community()
    const reviewer = await make.reviewerOf(communityId)
    const token = await tokenOf(reviewer.userId)
    const { userId } = await make.user()
    await make.member({ communityId, userId })
    const author = await tokenOf(userId)
    const { channelId } = await make.channel()
    const moderator = await make.moderatorOf(channelId)
    const channelToken = await tokenOf(moderator.userId)
    await make.channelUser({ channelId, userId })
    const { messageId } = await make.message({ channelId })
    const { commentId } = await make.heldComment({ communityId, approvalStatus: null })
    const held = [await make.heldComment({ communityId }), await make.heldComment({ communityId })]
    const { postId } = await make.post({ communityId })

    const flagEach = async () => {
      await call('POST', `/api/v3/comments/${commentId}/flag`, { token: author, body: { reason: 'Spam or scams' } })
      await call('POST', `/api/v3/posts/${postId}/flag`, { token: author })
      await call('POST', `/api/v5/messages/${messageId}/flags`, { token: author })
      await call('POST', `/api/v4/me/flags/${reviewer.userId}`, { token: author })
    }
    await flagEach()
    await call('DELETE', `/api/v3/comments/${commentId}/flags`, { token })
    await switchTo(true)
    await call('POST', `/api/v3/comments/${commentId}/flag`, { token: author, body: { reason: 'Spam or scams' } })
    const acts: [string, string, string, unknown?][] = [
      ['DELETE', `/api/v3/comments/${commentId}/flags`, token],
      ['DELETE', `/api/v4/comments/${commentId}`, token],
      ['DELETE', `/api/v3/posts/${postId}/flags`, token],
      ['DELETE', `/api/v4/posts/${postId}?permanent=true`, token],
      ['DELETE', `/api/v5/messages/${messageId}/flags/all`, channelToken],
      ['DELETE', `/api/v5/messages/${messageId}`, channelToken],
      ['POST', `/api/v3/comments/${held[0]?.commentId}/approve`, token],
      ['POST', `/api/v3/comments/${held[1]?.commentId}/decline`, token, { reason: 'Rude' }],
      ['PUT', `/api/v3/channels/${channelId}/users/ban`, channelToken, { userIds: [userId] }],
      ['DELETE', `/api/v3/communities/${communityId}/users`, token, { userIds: [userId] }],
      ['PUT', `/api/v3/communities/${communityId}/users/ban`, token, { userIds: [userId] }],
      ['DELETE', `/api/v2/users/${reviewer.userId}/flags`, admin],
      ['POST', '/api/v2/users/ban', admin, { userId }],
    ]
    for (const [method, path, actor, body] of acts) {
      expect([path, (await call(method, path, { token: actor, body })).status]).toEqual([path, 200])
    }
    await switchTo(false)
    await call('POST', '/api/v2/users/unban', { token: admin, body: { userId } })
    await call('POST', '/api/v2/users/ban', { token: admin, body: { userId } })

    const concerned = new Set([
      commentId,
      postId,
      messageId,
      userId,
      reviewer.userId,
      ...held.map((one) => one.commentId),
    ])
    const rows = (await rowsDone()).filter((row) => concerned.has(row.content_public_id ?? ''))
    expect(rows.map((row) => row.event)).toEqual([
      'comment.flagged',
      'comment.flagsCleared',
      'comment.deleted',
      'post.flagsCleared',
      'post.deleted',
      'v5.message.flagCleared',
      'v5.message.deleted',
      'comment.approved',
      'comment.declined',
      'channel.userBanned',
      'community.userRemoved',
      'community.userBanned',
      'user.flagCleared',
      'user.didGlobalBan',
    ])
    expect(rows[0]).toMatchObject({
      network_id: 'network',
      user_id: userId,
      note: 'Spam or scams',
      content_type: 'comment',
      content_public_id: commentId,
      target_type: 'community',
      target_id: communityId,
      is_ai: 'false',
      updated_at: rows[0]?.created_at,
    })
    expect(rows[8]).toMatchObject({ user_id: reviewer.userId, note: 'Rude' })
    expect(rows[9]).toMatchObject({ content_type: 'user', target_type: 'channel', target_id: channelId })
    expect(JSON.parse(rows[11]?.metadata ?? '')).toMatchObject({ after: { membership: 'banned' }, source: 'rest' })
  })

  test('leave out a decision that is undone', async () => {
    await switchTo(true)
    const comment = await make.heldComment()
    const ctx = ctxOf(database, await make.reviewerOf(comment.communityId))
    const { decisionId } = await decide(ctx, {
      subjectType: 'comment',
      subjectId: comment.commentId,
      outcome: 'rejected',
    })
    expect(await rowsAbout(comment.commentId)).toMatchObject([{ event: 'comment.declined' }])
    await undoDecision(ctx, { decisionId })
    expect(await rowsAbout(comment.commentId)).toEqual([])
    await decide(ctx, { subjectType: 'comment', subjectId: comment.commentId, outcome: 'approved' })
    expect(await rowsAbout(comment.commentId)).toMatchObject([{ event: 'comment.approved' }])
    await switchTo(false)
  })

  test('leave out an act whose transaction fails', async () => {
    await switchTo(true)
    const { commentId } = await make.heldComment({ approvalStatus: null })
    const ctx = ctxOf(database, asUser((await make.user()).userId))
    const failing = inTransaction(ctx, async (ctx) => {
      await flag(ctx, flaggableComment, { id: commentId, flag: { reason: 'Others' } })
      throw new Error('too late')
    })
    await expect(failing).rejects.toThrow('too late')
    await flag(ctx, flaggableComment, { id: commentId, flag: { reason: 'Others' } })
    expect(await rowsAbout(commentId)).toHaveLength(1)
    await switchTo(false)
  })

  test('include acts done during switch-off once or not at all, and none that begin later', async () => {
    await switchTo(true)
    const { communityId } = await make.community()
    const comments = await Promise.all(
      Array.from({ length: 30 }, () => make.heldComment({ communityId, approvalStatus: null })),
    )
    const flagger = ctxOf(database, asUser((await make.user()).userId))
    const flagIt = ({ commentId }: { commentId: string }) =>
      flag(flagger, flaggableComment, { id: commentId, flag: { reason: 'Others' } })
    const [early, late] = [comments.slice(0, 20), comments.slice(20)]
    const settings = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS']))
    await Promise.all([
      ...early.slice(0, 10).map(flagIt),
      updateModerationSettings(settings, { isReportEnabled: false }),
      ...early.slice(10).map(flagIt),
    ])
    await Promise.all(late.map(flagIt))

    const rows = (await rowsDone()).filter((row) => row.target_id === communityId)
    const ids = rows.map((row) => row.content_public_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(late.filter(({ commentId }) => ids.includes(commentId))).toEqual([])
  })
})

describe('the files', () => {
  /** Acts of one day in the past, written directly to the log. */
  async function write(day: string, acts: { at?: string; subjectId: string; userId?: string }[]): Promise<void> {
    await switchTo(true)
    for (const { at = 'T12:00:00.000Z', subjectId, userId = 'someone' } of acts) {
      const ctx = ctxOf(database, asUser(userId), { now: aDay(`${day}${at}`) })
      await recordAudits(ctx, [{ action: 'user.globallyBanned', subjectType: 'user', subjectId }])
    }
    await switchTo(false)
  }

  test('are one per day, UTC, latest first, with the size that they have when downloaded', async () => {
    await write('2026-03-01', [
      { subjectId: 'first', at: 'T00:00:00.000Z' },
      { subjectId: 'last', at: 'T23:59:59.999Z' },
    ])
    await write('2026-02-27', [{ subjectId: 'ä漢字"\r\n,', at: 'T08:00:00.000Z' }])
    await write('2026-03-02', [{ subjectId: 'next', at: 'T00:00:00.000Z' }])
    const list = async (token?: string) =>
      (await call('GET', `${REPORTS}?limit=1${token ? `&token=${encodeURIComponent(token)}` : ''}`, { token: support }))
        .body
    const all = (await call('GET', `${REPORTS}?limit=100`, { token: support })).body.reports
    const days = ['2026-03-02', '2026-03-01', '2026-02-27']
    const past = all.filter((report: { fileId: string }) => days.includes(report.fileId))
    expect(past).toMatchObject([
      { fileId: '2026-03-02', lastModified: '2026-03-02T00:00:00.000Z' },
      {
        fileId: '2026-03-01',
        lastModified: '2026-03-01T23:59:59.999Z',
        fileName: 'moderation-activity-2026-03-01.csv',
      },
      { fileId: '2026-02-27' },
    ])
    for (const { fileId, fileSize } of all) {
      expect([fileId, Buffer.byteLength(await download(fileId))]).toEqual([fileId, fileSize])
    }
    expect(parse(await download('2026-03-01')).map((row) => row.content_public_id)).toEqual(['first', 'last'])
    expect(parse(await download('2026-02-27'))).toMatchObject([{ content_public_id: 'ä漢字"\r\n,' }])

    const walked: string[] = []
    let page = await list()
    while (page.reports.length > 0) {
      walked.push(page.reports[0].fileId)
      if (page.paging.next === undefined) break
      page = await list(page.paging.next)
    }
    expect(walked).toEqual(all.map((report: { fileId: string }) => report.fileId))
    expect((await list(page.paging.previous)).reports).toMatchObject([{ fileId: walked.at(-2) }])
  })

  test('have no cell that a spreadsheet would execute, and every value can be recovered', async () => {
    const values = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', "'quoted", '＝1', 'a=1', ' =1']
    await write(
      '2026-01-05',
      values.map((subjectId) => ({ subjectId, userId: '=cmd|x' })),
    )
    const csv = await download('2026-01-05')
    const rows = parse(csv)
    expect(csv.startsWith(`${HEADER}\r\n`)).toBe(true)
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    expect(rows.map((row) => row.content_public_id?.replace(/^'/, ''))).toEqual(values)
    expect(rows[0]?.user_id).toBe("'=cmd|x")
  })

  test('are read completely and in order, however long they are', async () => {
    await switchTo(true)
    const ctx = ctxOf(database, asUser('someone'), { now: aDay('2026-01-07T10:00:00Z') })
    const ids = Array.from({ length: 2_500 }, (_, index) => `user-${index}`)
    await recordAudits(
      ctx,
      ids.map((subjectId) => ({ action: 'user.globallyBanned', subjectType: 'user', subjectId })),
    )
    await switchTo(false)
    expect(parse(await download('2026-01-07')).map((row) => row.content_public_id)).toEqual(ids)
  })

  test('lose a note when it is erased beside the log', async () => {
    await switchTo(true)
    const { commentId } = await make.heldComment({ approvalStatus: null })
    const flagger = ctxOf(database, asUser((await make.user()).userId))
    await flag(flagger, flaggableComment, { id: commentId, flag: { reason: 'Others', detail: 'private words' } })
    await switchTo(false)
    expect(await rowsAbout(commentId)).toMatchObject([{ note: 'Others: private words' }])
    await eraseTextsOn(flagger, 'comment', [commentId])
    expect(await rowsAbout(commentId)).toMatchObject([{ note: '' }])
  })

  test('require access to the history, in admin context; each download is logged with who requested it', async () => {
    await write('2026-01-09', [{ subjectId: 'someone' }])
    const { userId } = await make.user({ roles: ['global-admin'] })
    for (const path of [REPORTS, `${REPORTS}/download?fileId=2026-01-09`]) {
      expect(await call('GET', path, { token: await tokenOf(userId) })).toMatchObject({
        status: 403,
        body: { code: 400300 },
      })
      expect(await call('GET', path, { token: await adminTokenOf(database, 'channel-moderator') })).toMatchObject({
        status: 403,
      })
      expect(await call('GET', path)).toMatchObject({ status: 401, body: { code: 400100 } })
    }
    for (const roleId of ['support', 'moderator', 'super-moderator']) {
      await download('2026-01-09', await adminTokenOf(database, roleId))
    }
    const logged = { action: 'report.downloaded', subjectId: '2026-01-09', actorKind: 'admin' }
    expect(await database.prisma.audit.count({ where: { ...logged, actorId: { not: null } } })).toBe(3)
  })

  const unknown: [string, string][] = [
    ['a day on which nothing was reported', 'fileId=2020-01-01'],
    ['the name of another file', 'fileId=2026-01-09&fileName=moderation-activity-2026-01-08.csv'],
  ]
  test.each(unknown)('%s is 404', async (_what, query) => {
    await write('2026-01-09', [{ subjectId: 'someone' }])
    expect(await call('GET', `${REPORTS}/download?${query}`, { token: admin })).toMatchObject({
      status: 404,
      body: { code: 400400 },
    })
  })

  const invalid: [string, string][] = [
    ['no file', '/download'],
    ['a day that does not exist', '/download?fileId=2026-02-30'],
    ['a link without a signature', '/files/2026-01-09?expires=1&credential=token&credentialId=1'],
  ]
  test.each(invalid)('%s is 422', async (_what, path) => {
    expect(await call('GET', `${REPORTS}${path}`, { token: admin })).toMatchObject({
      status: 422,
      body: { code: 500000 },
    })
  })

  test.each(['x', Buffer.from('{"after":["x","y"]}').toString('base64')])('a paging token %s is 400', async (token) => {
    expect(await call('GET', `${REPORTS}?token=${token}`, { token: admin })).toMatchObject({
      status: 400,
      body: { code: 400000 },
    })
  })

  test('a link is valid for a minute and for its own file', async () => {
    await write('2026-01-11', [{ subjectId: 'someone' }])
    const key = Buffer.alloc(32, 1)
    const ctx = ctxOf(database, asAdmin(['VIEW_HISTORY']), { now: aDay('2026-06-01T12:00:00Z') })
    const link = await openReport(ctx, key, { fileId: '2026-01-11' })
    const at = (time: string) => async () => ({ ...ctx, now: aDay(time) })
    const now = at('2026-06-01T12:00:00Z')
    const read = await readReport(at('2026-06-01T12:00:59.999Z'), key, link)
    expect(read.fileName).toBe('moderation-activity-2026-01-11.csv')
    const refused: [string, () => Promise<unknown>][] = [
      ['a minute later', () => readReport(at('2026-06-01T12:01:00Z'), key, link)],
      ['another file', () => readReport(now, key, { ...link, fileId: '2026-01-09' })],
      ['a longer life', () => readReport(now, key, { ...link, expires: `${link.expires}0` })],
      ['another key', () => readReport(now, Buffer.alloc(32, 2), link)],
      ['a signature cut short', () => readReport(now, key, { ...link, signature: link.signature.slice(0, 8) })],
    ]
    for (const [what, read] of refused) await expect(read(), what).rejects.toThrow('Resource Not Found.')
  })
})
