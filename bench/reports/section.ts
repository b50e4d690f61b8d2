import type { Ctx } from '#server/core/ctx.ts'
import type { Floor } from '../floors/floor.ts'
import { type Measured, measure, measureInTurns, medianOf, ratioOf, type Target } from '../measure/load.ts'
import { type Answered, startFloor, startReplay } from '../programs/baselines.ts'
import type { Program } from '../programs/programs.ts'

export const FLOOR = 'one statement'
export const REPLAY = 'the same statements'

/** One kind of request, and what Docket's answers are compared with. */
export interface SectionRequest {
  name: string
  /** Concurrent callers. */
  connections: number
  target: Target
  floor: Floor
  /** Docket's work for the request, if it is compared with its own statements too. */
  act?: ((ctx: Ctx) => Promise<unknown>) | undefined
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

/** Until the code is compiled, and every connection has prepared each statement and chosen its plan. */
const WARM_UP_SECONDS = 6

interface Options {
  databaseUrl: string
  token: string
  /** How long each is measured, all its turns together. */
  seconds: number
}

/** Measures one kind of request: Docket in turns with the floor and everything else it is compared with. */
export async function measureSection(request: SectionRequest, options: Options): Promise<Section> {
  const { name, target, connections, putBack } = request
  const servers = await startServers(request, options)
  try {
    const others = new Map([...servers].map(([other, server]) => [other, sentTo(server, target)]))
    if (request.aboutUser === undefined) for (const other of others.values()) await requireSameAnswer(target, other)

    const targets = [target, ...others.values()]
    for (const warming of targets) {
      await measure(warming, { connections, seconds: WARM_UP_SECONDS })
      await putBack?.()
    }
    const turns = { connections, seconds: options.seconds, afterTurn: putBack }
    const [docket = [], ...rounds] = await measureInTurns(targets, turns)
    return {
      name,
      connections,
      docket: medianOf(docket),
      others: [...others.keys()].map((other, place) => ({
        name: other,
        measured: medianOf(rounds[place] ?? []),
        ratio: ratioOf(docket, rounds[place] ?? [], ({ perSecond }) => perSecond),
      })),
    }
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
}

/** The servers Docket is compared with, all giving its answer, by name. */
async function startServers(
  { target, floor, act, aboutUser, putBack }: SectionRequest,
  { databaseUrl, token }: Options,
): Promise<Map<string, Program>> {
  const answered: Answered = { databaseUrl, aboutUser, answer: JSON.parse(await fetchAnswer(target)) }
  await putBack?.()
  const servers = new Map([[FLOOR, await startFloor(floor, answered)]])
  if (act) servers.set(REPLAY, await startReplay(act, { ...answered, token }))
  return servers
}

function sentTo({ origin, pid }: Program, { costs, ...target }: Target): Target {
  return { ...target, origin, costs: costs && pid !== undefined ? { ...costs, pid } : undefined }
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
