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

/** Pages of the largest community's queue as one program answers them. */
export interface Pages {
  /** Endpoint 1. */
  rest(asked?: Filter & { skip?: number; limit?: number }): Target
  /** The desk's list. */
  desk(asked?: DeskPage): Target
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
    desk: ({ order = 'newest', limit = 10, ...asked } = {}) => {
      const query = stringify({ input: JSON.stringify({ ...asked, communityId: LARGEST_COMMUNITY, order, limit }) })
      return read({ cookie }, `/api/trpc/review.queue?${query}`)
    },
  }
}
