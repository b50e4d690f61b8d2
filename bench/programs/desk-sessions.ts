import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '#server/core/database/open-database.ts'
import { keyFor } from '#server/core/secret.ts'
import { sessionDigest } from '#server/modules/accounts/access/session-digests.ts'
import { LARGEST_COMMUNITY } from '../data/network.ts'

const LIFETIME_MS = 3_600_000

interface Sessions {
  count: number
  secret: string
  networkRole?: string
  communityId?: string
}

/**
 * Creates `count` people who review a community, the largest by default, or hold a network role, each with a desk account and a session, and
 * returns the session cookies. Written directly to the tables: signing in would take longer than the measurement.
 */
export async function makeDeskSessions(
  { prisma }: Database,
  { count, secret, networkRole, communityId = LARGEST_COMMUNITY }: Sessions,
): Promise<string[]> {
  const people = Array.from({ length: count }, () => ({
    id: randomUUID(),
    token: randomBytes(24).toString('base64url'),
  }))
  await prisma.user.createMany({
    data: people.map(({ id }) => ({
      userId: id,
      displayName: 'Bench',
      roles: networkRole === undefined ? [] : [networkRole],
    })),
  })
  await prisma.communityUser.createMany({
    data: (networkRole === undefined ? people : []).map(({ id }) => ({
      communityId,
      userId: id,
      membership: 'member',
      roles: ['community-moderator'],
    })),
  })
  await prisma.staffAccount.createMany({
    data: people.map(({ id }) => ({ id, name: 'Bench', email: `${id}@bench.example`, networkUserId: id })),
  })
  const expiresAt = new Date(Date.now() + LIFETIME_MS)
  await prisma.staffSession.createMany({
    data: people.map(({ id, token }) => ({ id: randomUUID(), token: sessionDigest(token), userId: id, expiresAt })),
  })
  const key = keyFor(secret, 'sessions').toString('base64url')
  return people.map(({ token }) => {
    const signature = createHmac('sha256', key).update(token).digest('base64')
    return `docket.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  })
}
