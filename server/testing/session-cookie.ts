import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '#server/core/database/open-database.ts'
import { keyFor } from '#server/core/secret.ts'
import { sessionDigest } from '#server/modules/accounts/access/session-digests.ts'
import { TEST_SECRET } from '#server/testing/ctx.ts'

const LIFETIME_MS = 24 * 3_600_000

/** The cookie of a new session of this account, as a sign-in sets it, without the time that checking a password takes. */
export async function sessionCookie({ prisma }: Database, staffId: string): Promise<{ name: string; value: string }> {
  const token = randomBytes(24).toString('base64url')
  await prisma.staffSession.create({
    data: {
      id: randomUUID(),
      userId: staffId,
      token: sessionDigest(token),
      expiresAt: new Date(Date.now() + LIFETIME_MS),
    },
  })
  const secret = keyFor(TEST_SECRET, 'sessions').toString('base64url')
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return { name: 'docket.session_token', value: encodeURIComponent(`${token}.${signature}`) }
}
