import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Pool } from '#server/core/db.ts'

/** One address may try for several people: a whole office signs in through one. */
const ADDRESS_FACTOR = 5

export interface SignInTries {
  /** Counts one try at an account, which is an e-mail or a user id. Says how many are left, or how long to wait. */
  count(account: string, address: string): Promise<{ left: number } | { waitMs: number }>
  /** Counts a try by whoever has not said who they are. */
  countFrom(address: string): Promise<{ left: number } | { waitMs: number }>
  /** A right password forgives the wrong ones before it. */
  forgive(account: string): Promise<void>
}

/** Tries at signing in, by account and by address, counted in PostgreSQL for all processes together; each door counts its own. */
export function createSignInTries(
  pool: Pool,
  rate: { points: number; perMs: number } | undefined,
  door: 'desk' | 'rest' = 'desk',
): SignInTries {
  if (rate === undefined) {
    const unlimited = async () => ({ left: Number.POSITIVE_INFINITY })
    return { count: unlimited, countFrom: unlimited, forgive: async () => {} }
  }

  const shared = { storeClient: pool, tableName: 'sign_in_tries', tableCreated: true, duration: rate.perMs / 1000 }
  const byAccount = new RateLimiterPostgres({ ...shared, keyPrefix: `${door}-account`, points: rate.points })
  const byAddress = new RateLimiterPostgres({
    ...shared,
    keyPrefix: `${door}-address`,
    points: rate.points * ADDRESS_FACTOR,
  })
  return {
    count: (account, address) => leftOf([byAccount.consume(accountKey(account)), byAddress.consume(address)]),
    countFrom: (address) => leftOf([byAddress.consume(address)]),
    forgive: async (account) => {
      await byAccount.delete(accountKey(account))
    },
  }
}

async function leftOf(consumed: Promise<RateLimiterRes>[]): Promise<{ left: number } | { waitMs: number }> {
  try {
    const tries = await Promise.all(consumed)
    return { left: Math.min(...tries.map((one) => one.remainingPoints)) }
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { waitMs: refusal.msBeforeNext }
    throw refusal
  }
}

function accountKey(account: string): string {
  return account.trim().toLowerCase().slice(0, 200)
}
