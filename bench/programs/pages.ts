import { stringify } from 'node:querystring'
import type { QueueOrder } from '#server/modules/review/queue/schema.ts'
import type { Credentials } from '../data/bench-people.ts'
import { LARGEST_COMMUNITY } from '../data/network.ts'
import type { CostMeter } from '../measure/cost-meter.ts'
import type { Target } from '../measure/load.ts'
import type { Filter } from '../scenarios/queue/filter-sets.ts'
import type { Program } from './programs.ts'
import { signIn } from './sign-in.ts'

interface DeskPage extends Filter {
  order?: QueueOrder
  limit?: number
  cursor?: string
}

/** Pages of the queue, of the largest community unless said otherwise, as one program answers them. */
export interface Pages {
  /** Endpoint 1. */
  rest(asked?: Filter & { skip?: number; limit?: number }): Target
  /** The desk's list. */
  desk(asked?: DeskPage): Target
  /** The desk's list of all communities, in the session of somebody who reviews them. */
  deskOfAll(cookie: string): Target
}

export async function pagesOf(docket: Program, credentials: Credentials, meter?: CostMeter): Promise<Pages> {
  const { origin, pid } = docket
  const cookie = await signIn(docket, credentials)
  const costs = meter && pid !== undefined ? { meter, pid } : undefined
  const read = (headers: Record<string, string>, path: string): Target => ({
    origin,
    method: 'GET',
    headers,
    nextPath: () => path,
    costs,
  })
  return {
    rest: ({ skip, limit, ...filter } = {}) => {
      const query = stringify({
        ...filter,
        ...(skip !== undefined && { 'options[skip]': skip }),
        ...(limit !== undefined && { 'options[limit]': limit }),
      })
      return read(
        { authorization: `Bearer ${credentials.token}` },
        `/api/v3/communities/${LARGEST_COMMUNITY}/comments/review-queue?${query}`,
      )
    },
    desk: (asked) => read({ cookie }, deskPath({ ...asked, communityId: LARGEST_COMMUNITY })),
    deskOfAll: (cookie) => read({ cookie }, deskPath({})),
  }
}

function deskPath({ order = 'newest', limit = 10, ...asked }: DeskPage & { communityId?: string }): string {
  return `/api/trpc/review.queue?${stringify({ input: JSON.stringify({ ...asked, order, limit }) })}`
}
