import { withDocket } from '../programs/programs.ts'
import { measure, median, type Target } from './load.ts'

export const COLD_REQUESTS = 300
export const COLD_CLIENTS = 8
const PROCESSES = 3

/** Requests per second of a process that has just started, and of the same process once it is warm. */
export interface ColdStart {
  name: string
  cold: number
  warm: number
  /** How many times slower the first requests are. */
  ratio: number
}

/** The first 300 requests of fresh processes, against as many of the same processes once warm; medians. `target` at any process of ours. */
export async function measureColdStart(
  databaseUrl: string,
  { name, target: { costs: _, ...target }, seconds }: { name: string; target: Target; seconds: number },
): Promise<ColdStart> {
  const processes: { cold: number; warm: number }[] = []
  for (let number = 0; number < PROCESSES; number += 1) {
    processes.push(
      await withDocket(databaseUrl, async ({ origin }) => {
        const fresh = { ...target, origin }
        const cold = await firstRequests(fresh)
        await measure(fresh, { connections: COLD_CLIENTS, seconds })
        return { cold, warm: await firstRequests(fresh) }
      }),
    )
  }
  return {
    name,
    cold: median(processes.map(({ cold }) => cold)),
    warm: median(processes.map(({ warm }) => warm)),
    ratio: median(processes.map(({ cold, warm }) => warm / cold)),
  }
}

async function firstRequests(target: Target): Promise<number> {
  return (await measure(target, { connections: COLD_CLIENTS, requests: COLD_REQUESTS })).perSecond
}
