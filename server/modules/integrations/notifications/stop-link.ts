import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'
import { TOPICS, type Topic } from '#server/modules/integrations/notifications/schema.ts'

/** For how long a link in a mail stops its notifications. */
const VALID_MS = 90 * 24 * 3_600_000

const StopClaim = z.object({ staff: z.string(), topics: z.array(z.enum(TOPICS)), until: z.number() })

interface Stoppable {
  staffId: string
  topics: Topic[]
}

/** A token with which anyone who has the mail can stop mails about these topics, and nothing else. */
export function signStop(key: Buffer, { staffId, topics }: Stoppable, now: Date): string {
  const claim: z.input<typeof StopClaim> = { staff: staffId, topics, until: now.getTime() + VALID_MS }
  const body = Buffer.from(JSON.stringify(claim)).toString('base64url')
  return `${body}.${macOf(key, body).toString('base64url')}`
}

/** What the token stops. NOT_FOUND for one that has expired, was changed, or was signed with another key. */
export function readStop(key: Buffer, token: string, now: Date): Stoppable {
  const [body = '', mac = ''] = token.split('.')
  const [right, given] = [macOf(key, body), Buffer.from(mac, 'base64url')]
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new DomainError('NOT_FOUND')
  const { staff, topics, until } = StopClaim.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  if (until <= now.getTime()) throw new DomainError('NOT_FOUND')
  return { staffId: staff, topics }
}

function macOf(key: Buffer, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest()
}
