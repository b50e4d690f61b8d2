import { expect, test } from 'vitest'
import { z } from 'zod'
import { digestOf } from '#server/core/ids.ts'
import { createKey, createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { forgetTokens } from '#server/modules/accounts/access/forget-tokens.ts'
import { listTokens } from '#server/modules/accounts/access/list-credentials.ts'
import { revokeCredential } from '#server/modules/accounts/access/revoke-credential.ts'
import { actorOfKey, actorOfToken } from '#server/testing/actors.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { runProgram, untilReady } from '#server/testing/program.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'

const { database, url: DATABASE_URL, prisma, pool, make } = await testDatabase()
const ctx = systemCtx(database)
const DAY_MS = 24 * 3_600_000

/** Runs one command as a process of its own; returns its exit code and the object it prints. */
async function docket(...args: string[]) {
  const program = await runProgram({ DATABASE_URL }, 'server/cli/docket.ts', [...args, '--json'])
  const code = await program.ended
  const last = program.output().trimEnd().split('\n').at(-1) ?? ''
  return { code, text: last, json: last.startsWith('{') ? JSON.parse(last) : undefined }
}

async function idOf(secret: string): Promise<string> {
  const token = await prisma.accessToken.findUniqueOrThrow({ where: { digest: new Uint8Array(digestOf(secret)) } })
  return token.tokenId
}

test('an admin token has the name it was created with, and one of a user can have none', async () => {
  await docket('token', 'create', '--admin', '--name', 'Nightly export')
  expect((await listTokens(ctx, {}))[0]).toMatchObject({ name: 'Nightly export', roleId: 'global-admin' })
  const { userId } = await make.user()
  expect(await docket('token', 'create', '--user-id', userId, '--name', 'Theirs')).toMatchObject({ code: 1 })
  expect(await listTokens(ctx, { userId })).toEqual([])
})

test.runIf(IS_STRESS)(
  'a running server rejects a token or key that the command line revoked on the next call',
  async () => {
    const program = await runProgram({ DATABASE_URL })
    await untilReady(program)
    const { accessToken } = await createToken(ctx, { lifetimeMs: DAY_MS })
    const { apiKey } = await createKey(ctx, { name: 'an app', allows: ['sessions'] })
    const read = ({ url }: { url: string }) =>
      fetch(`${url}/api/v3/roles`, { headers: { authorization: `Bearer ${accessToken}` } }).then(({ status }) => status)
    const open = ({ url }: { url: string }) =>
      fetch(`${url}/api/v5/sessions`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ userId: 'someone', deviceId: 'a phone' }),
      }).then(({ status }) => status)
    expect([await read(program), await open(program)]).toEqual([200, 200])

    const tokenId = await idOf(accessToken)
    const { json: listed } = await docket('token', 'list')
    const token = { tokenId, roleId: 'global-admin', lastUsedAt: expect.any(String), revokedAt: null }
    expect(listed.tokens).toContainEqual(expect.objectContaining(token))
    const { json: keys } = await docket('key', 'list')
    const key = keys.keys.find(({ name }: { name: string }) => name === 'an app')
    expect(key).toMatchObject({ allows: ['sessions'], lastUsedAt: expect.any(String) })
    expect(JSON.stringify([listed, keys])).not.toContain(accessToken)
    expect(JSON.stringify([listed, keys])).not.toContain(apiKey)

    expect(await docket('token', 'revoke', tokenId)).toMatchObject({
      code: 0,
      json: { tokenId, revokedAt: expect.any(String) },
    })
    expect(await docket('key', 'revoke', key.keyId)).toMatchObject({ code: 0 })
    expect([await read(program), await open(program)]).toEqual([401, 401])
    expect((await docket('token', 'list')).json.tokens).toContainEqual(
      expect.objectContaining({ tokenId, revokedAt: expect.any(String) }),
    )
  },
)

test('reports an unknown id in one line and exits with 1', async () => {
  expect(await docket('token', 'revoke', 'nothing')).toMatchObject({
    code: 1,
    text: 'docket: token nothing not found',
  })
  expect(await docket('key', 'revoke', 'nothing')).toMatchObject({ code: 1, text: 'docket: key nothing not found' })
})

test('lists a user’s tokens separately from the admin tokens', async () => {
  const { userId } = await make.user()
  const { accessToken } = await createToken(ctx, { userId, lifetimeMs: DAY_MS })
  expect(await listTokens(ctx, { userId })).toMatchObject([{ tokenId: await idOf(accessToken), userId, roleId: null }])
  expect((await listTokens(ctx, {})).some((token) => token.userId === userId)).toBe(false)
})

test('when many revoke one token at once, one revocation is logged and all get the same time', async () => {
  const { accessToken } = await createToken(ctx, { lifetimeMs: DAY_MS })
  const id = await idOf(accessToken)
  const ended = await Promise.all(Array.from({ length: 8 }, () => revokeCredential(ctx, { kind: 'token', id })))
  expect(new Set(ended.map(({ revokedAt }) => revokedAt.getTime())).size).toBe(1)
  expect(await prisma.audit.count({ where: { action: 'token.revoked', subjectId: id } })).toBe(1)
})

test('removes tokens that ended a month ago, keeps active and recent ones, and leaves all of them in the log', async () => {
  const { userId } = await make.user()
  const issue = async (lifetimeMs: number) => idOf((await createToken(ctx, { userId, lifetimeMs })).accessToken)
  const [living, expired, revoked, late] = [
    await issue(90 * DAY_MS),
    await issue(1),
    await issue(90 * DAY_MS),
    await issue(2 * DAY_MS),
  ]
  await revokeCredential(ctx, { kind: 'token', id: revoked })

  const later = { ...ctx, now: () => new Date(Date.now() + 31 * DAY_MS) }
  const left = async () => (await listTokens(ctx, { userId })).map(({ tokenId }) => tokenId)
  await forgetTokens(ctx)
  expect((await left()).sort()).toEqual([living, expired, revoked, late].sort())
  const before = await prisma.accessToken.count()
  await Promise.all([forgetTokens(later), forgetTokens(later)])
  expect((await left()).sort()).toEqual([living, late].sort())
  for (const subjectId of [living, expired, revoked, late]) {
    expect(await prisma.audit.count({ where: { action: 'token.created', subjectId } })).toBe(1)
  }
  // Each of the two callers may have removed some of them.
  const removals = await prisma.audit.findMany({ where: { action: 'token.forgotten' } })
  const counted = removals.map(({ after }) => z.object({ count: z.int() }).parse(after).count)
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(before - (await prisma.accessToken.count()))
})

test('never looks up or stores a credential as written: only its digest reaches the database', async () => {
  const { accessToken } = await createToken(ctx, { lifetimeMs: DAY_MS })
  const { apiKey } = await createKey(ctx, { name: 'a key', allows: ['sessions'] })
  const { all, values } = recordStatements(pool)
  expect(await actorOfToken(pool, accessToken)).toMatchObject({ kind: 'admin' })
  expect(await actorOfKey(pool, apiKey)).toMatchObject({ kind: 'key' })
  expect(values).toContainEqual(digestOf(accessToken))
  expect(values).toContainEqual(digestOf(apiKey))
  const written = [
    ...all,
    ...values,
    ...(await pool.query('select t::text from access_token t union all select k::text from api_key k')).rows,
  ]
  for (const secret of [accessToken, apiKey]) {
    for (const value of written) {
      expect(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)).not.toContain(secret)
    }
  }
})
