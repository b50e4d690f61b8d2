import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Asked, passCookies, toLibraryRequest } from '#server/http/auth/library-request.ts'
import type { Parts } from '#server/http/request-context.ts'
import { createFailedSignInAudit, type FailedSignIn } from '#server/modules/accounts/access/audit-failed-sign-in.ts'
import type { Attempt, SignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { rateLimited } from '#server/rest/envelope.ts'

interface Guess {
  what: Attempt['guess']
  /** The email address of the account. */
  account: string
  by: FailedSignIn['by']
  asked: Asked
}

/** What the ways to sign in have in common. */
export interface SignInSteps {
  /** Passes the request on to the sign-in library. */
  ask(request: FastifyRequest, asked: Asked): Promise<Response>
  /** Counts a try that names no account. Fails with RATE_LIMITED. */
  countFrom(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Has the library check a password or a code. The try is counted before and forgotten if it succeeds, else logged. Fails with RATE_LIMITED. */
  guess(request: FastifyRequest, reply: FastifyReply, guess: Guess): Promise<{ answer: Response; left: number }>
  logFailed(request: FastifyRequest, failed: Omit<FailedSignIn, 'address'>): Promise<void>
  /** Remembers address and device for the account, after a sign-in. */
  rememberDevice(request: FastifyRequest, reply: FastifyReply, guess: Pick<Guess, 'what' | 'account'>): Promise<void>
}

export function createSignInSteps({ staffAuth, system }: Parts, tries: SignInTries): SignInSteps {
  const { devices } = staffAuth
  const auditFailed = createFailedSignInAudit()
  const ask = (request: FastifyRequest, asked: Asked) => staffAuth.handler(toLibraryRequest(request, asked))
  const logFailed: SignInSteps['logFailed'] = (request, failed) =>
    auditFailed({ ...system, source: 'desk', requestId: request.id }, { ...failed, address: request.ip })
  const attemptOf = (request: FastifyRequest, { what, account }: Pick<Guess, 'what' | 'account'>): Attempt => ({
    guess: what,
    account,
    address: request.ip,
    device: devices.read(request.cookies),
  })

  return {
    ask,
    logFailed,

    async countFrom(request, reply) {
      const counted = await tries.countFrom(request.ip, 1, devices.read(request.cookies))
      if ('waitMs' in counted) throw rateLimited(reply, counted.waitMs)
    },

    async guess(request, reply, guess) {
      const failed = { by: guess.by, account: { email: guess.account } }
      const counted = await tries.count(attemptOf(request, guess))
      if ('waitMs' in counted) {
        await logFailed(request, { ...failed, isRefused: true })
        throw rateLimited(reply, counted.waitMs)
      }
      const answer = await ask(request, guess.asked)
      if (answer.ok) {
        await counted.forgive()
        passCookies(answer, reply)
      } else await logFailed(request, failed)
      return { answer, left: counted.left }
    },

    async rememberDevice(request, reply, guess) {
      const attempt = attemptOf(request, guess)
      const device = attempt.device ?? devices.newDevice()
      await tries.remember({ ...attempt, device })
      reply.header('set-cookie', devices.cookieOf(device))
    },
  }
}
