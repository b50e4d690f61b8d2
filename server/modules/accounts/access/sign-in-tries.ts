import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { addressKey } from '#server/core/address-key.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { digestOf } from '#server/core/ids.ts'

/** One address may try for several people: a whole office signs in through one. */
const ADDRESS_FACTOR = 5
const KNOWN_SECONDS = 90 * 24 * 3600

/**
 * The limit of one account across all addresses unknown to it: a multiple of the attempts of one address, over a multiple of their time span.
 */
const POOLS = [
  { name: 'pool', factor: 2, spans: 1 },
  { name: 'pool-long', factor: 5, spans: 60 },
  { name: 'pool-day', factor: 10, spans: 1_440 },
] as const
const DAY = POOLS[2]

export interface Attempt {
  /**
   * What is guessed. Passwords and app codes can be guessed from many addresses at once, so they have a limit for all addresses together;
   * secrets of 256 bits can't, and at an open desk there is only one person.
   */
  guess: 'password' | 'code' | 'secret' | 'own'
  /** An e-mail or a user id. */
  account: string
  address: string
  /** The id of a device that somebody signed in on before. */
  device?: string | undefined
}

export type Counted = { left: number; forgive: () => Promise<void> } | { waitMs: number }

/** Sign-in attempts, counted in PostgreSQL for all processes together. */
export interface SignInTries {
  /** Counts one attempt at an account. Returns how many are left, or how long to wait; a right password resets those before it. */
  count(attempt: Attempt): Promise<Counted>
  /** Counts attempts by people who have not identified themselves: by the device, else by the address. */
  countFrom(address: string, calls?: number, device?: string): Promise<{ left: number } | { waitMs: number }>
  /** From now on this account is known at this address and on this device. */
  remember(attempt: Attempt): Promise<void>
}

const UNLIMITED: SignInTries = {
  count: async () => ({ left: Number.POSITIVE_INFINITY, forgive: async () => {} }),
  countFrom: async () => ({ left: Number.POSITIVE_INFINITY }),
  remember: async () => {},
}

/**
 * An attempt counts by account and address together, and by address. Attempts by strangers elsewhere therefore use up nobody's attempts, except the
 * pool of one account: it limits guessing from many addresses, blocks for longer as that continues (a minute, an hour, a day at the default
 * rate), and ignores addresses and devices where the account has signed in before. A known device has its own attempts, which nobody else can
 * use up.
 */
export function createSignInTries(
  pool: Pool,
  rate: { points: number; perMs: number } | undefined,
  source: 'desk' | 'rest' = 'desk',
): SignInTries {
  if (rate === undefined) return UNLIMITED
  const limiter = (name: string, factor = 1, spans = 1) =>
    new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'sign_in_tries',
      tableCreated: true,
      keyPrefix: `${source}-${name}`,
      points: rate.points * factor,
      duration: (rate.perMs / 1000) * spans,
    })
  const byAddress = limiter('address', ADDRESS_FACTOR)
  const byDevice = limiter('device')
  const byPair = limiter('pair')
  const byPairDay = limiter('pair-day', DAY.factor, DAY.spans)
  const pools = POOLS.map(({ name, factor, spans }) => limiter(name, factor, spans))
  const known = limiter('known')

  const isKnown = async (account: string, what: string | undefined) =>
    what !== undefined && (await known.get(keyOf(account, what))) !== null

  return {
    count: async (attempt) => {
      const { guess, address, device } = attempt
      const account = accountOf(attempt)
      const pair = keyOf(guess, account, addressKey(address))
      const ownDevice = (await isKnown(account, device)) && keyOf(guess, account, device ?? '')
      if (ownDevice) {
        const left = await consumed([byDevice.consume(ownDevice)], [() => byPairDay.consume(ownDevice)])
        return 'waitMs' in left
          ? left
          : { ...left, forgive: () => forget([byDevice, ownDevice], [byPairDay, ownDevice]) }
      }

      const pooled = (guess === 'password' || guess === 'code') && !(await isKnown(account, addressKey(address)))
      const key = keyOf(guess, account)
      const left = await consumed(
        [byAddress.consume(addressKey(address))],
        [
          () => byPair.consume(pair),
          () => byPairDay.consume(pair),
          ...(pooled ? pools.map((one) => () => one.consume(key)) : []),
        ],
      )
      if ('waitMs' in left) return left
      return {
        ...left,
        forgive: async () => {
          await forget([byPair, pair], [byPairDay, pair])
          // Strangers' attempts stay counted: only this attempt is removed.
          if (pooled) await Promise.all(pools.map((one) => one.reward(key)))
        },
      }
    },
    countFrom: (address, calls = 1, device) =>
      consumed([
        device === undefined
          ? byAddress.consume(addressKey(address), calls)
          : byDevice.consume(keyOf('', device), calls),
      ]),
    remember: async (attempt) => {
      const account = accountOf(attempt)
      const what = [addressKey(attempt.address), ...(attempt.device === undefined ? [] : [attempt.device])]
      await Promise.all(what.map((one) => known.set(keyOf(account, one), 1, KNOWN_SECONDS)))
    },
  }
}

/** Counts a try: after the `first` limits one of `then` at a time, so that a rejected try uses up none of the later limits. */
async function consumed(
  first: Promise<RateLimiterRes>[],
  then: (() => Promise<RateLimiterRes>)[] = [],
): Promise<{ left: number } | { waitMs: number }> {
  try {
    const tries = await Promise.all(first)
    for (const next of then) tries.push(await next())
    return { left: Math.min(...tries.map((one) => one.remainingPoints)) }
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return { waitMs: rejection.msBeforeNext }
    throw rejection
  }
}

async function forget(...entries: [RateLimiterPostgres, string][]): Promise<void> {
  await Promise.all(entries.map(([limiter, key]) => limiter.delete(key)))
}

function accountOf({ account }: Attempt): string {
  return account.trim().toLowerCase()
}

/** Hashed: the table must not reveal who tried what, and a key has 255 characters at most. */
function keyOf(...parts: string[]): string {
  return digestOf(parts.join('\0')).toString('base64url')
}
