import type { Ctx } from '#server/core/ctx.ts'
import { type Answered, startFloor, startReplay } from './baselines.ts'
import type { Floor } from './floors/floor.ts'
import { type Measured, measure, measureInTurns, medianOf, ratioOf, type Target } from './load.ts'
import type { Program } from './programs.ts'

export const FLOOR = 'one statement'
export const REPLAY = 'the same statements'
export const BEFORE = 'the other checkout'

/** One kind of request, and what Docket's answers are compared with. */
export interface SectionRequest {
  name: string
  /** Concurrent callers. */
  connections: number
  target: Target
  floor: Floor
  /** Docket's work for the request, if it is compared with its own statements too. */
  act?: ((ctx: Ctx) => Promise<unknown>) | undefined
  /** The same request to another checkout of Docket. */
  before?: Target | undefined
  /** The user whom the floor and the first request are about, if each request is about a different one. */
  aboutUser?: string | undefined
  /** Reverts what requests changed. */
  putBack?: (() => Promise<void>) | undefined
}

/** How many requests of one kind Docket answers, and the others. */
export interface Section {
  name: string
  connections: number
  docket: Measured
  others: {
    name: string
    measured: Measured
    /** Docket's throughput, of this one's. */
    ratio: number
  }[]
}

interface Options {
  databaseUrl: string
  token: string
  /** How long each is measured, all its turns together. */
  seconds: number
}

/** Measures one kind of request: Docket in turns with the floor and everything else it is compared with. */
export async function measureSection(
  request: SectionRequest,
  { databaseUrl, token, seconds }: Options,
): Promise<Section> {
  const { target, aboutUser, connections, putBack } = request
  const answered: Answered = { databaseUrl, aboutUser, answer: JSON.parse(await fetchAnswer(target)) }
  await putBack?.()
  const servers = new Map<string, Program>()
  try {
    servers.set(FLOOR, await startFloor(request.floor, answered))
    if (request.act) servers.set(REPLAY, await startReplay(request.act, { ...answered, token }))
    await putBack?.()
    const others = [...servers].map(([name, { origin, pid }]) => ({
      name,
      target: { ...target, origin, costs: target.costs && pid !== undefined ? { ...target.costs, pid } : undefined },
    }))
    if (aboutUser === undefined) for (const other of others) await requireSameAnswer(target, other.target)
    if (request.before) others.push({ name: BEFORE, target: { costs: undefined, ...request.before } })

    const targets = [target, ...others.map((other) => other.target)]
    // Runs until the code is compiled, and every connection has prepared each statement and chosen its plan.
    for (const warming of targets) {
      await measure(warming, { connections, seconds: seconds / 3 })
      await putBack?.()
    }
    const [docket = [], ...rounds] = await measureInTurns(targets, { connections, seconds, afterTurn: putBack })
    return {
      name: request.name,
      connections,
      docket: medianOf(docket),
      others: others.map(({ name }, place) => ({
        name,
        measured: medianOf(rounds[place] ?? []),
        ratio: ratioOf(docket, rounds[place] ?? [], ({ perSecond }) => perSecond),
      })),
    }
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
}

async function requireSameAnswer(real: Target, other: Target): Promise<void> {
  const [first, second] = await Promise.all([real, other].map(fetchAnswer))
  if (first !== second) throw new Error(`${other.nextPath()}: a baseline does not answer what Docket answers`)
}

async function fetchAnswer({ origin, method, headers, nextPath, nextBody }: Target): Promise<string> {
  const answer = await fetch(`${origin}${nextPath()}`, { method, headers, body: nextBody?.() ?? null })
  if (!answer.ok) throw new Error(`${nextPath()} was answered ${answer.status}`)
  return answer.text()
}
