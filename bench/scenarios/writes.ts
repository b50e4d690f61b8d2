import { benchDatabase, withCopy } from '../data/bench-database.ts'
import { type Measured, measure, measureInTurns, medianOf } from '../measure/load.ts'
import { HERE, withPlace } from '../programs/place.ts'
import { HELD_OF_BUSY, HELD_OF_MANY, WRITES } from '../programs/targets.ts'
import { atLeast, COST_COLUMNS, COST_NOTE, costCells, type Options, type Report } from '../report.ts'

const CLIENTS = 8
const BUSY_OF_MANY = 0.5

interface Way {
  name: string
  alone: Measured
  together: Measured
}

/** Comments, posts and messages, by one client and by eight. */
export async function benchWrites({ serverUrl, held, seconds, say }: Options): Promise<Report> {
  const original = await benchDatabase(serverUrl, held, say)
  const ways = await withCopy(original, (databaseUrl) =>
    withPlace(HERE, databaseUrl, async (place) => {
      const ways: Way[] = []
      for (const [name, targetOf] of Object.entries(WRITES)) {
        say(name)
        const target = await targetOf(place)
        await measure(target, { connections: CLIENTS, seconds: 2 * seconds })
        const [together = []] = await measureInTurns([target], { connections: CLIENTS, seconds: 2 * seconds })
        const alone = await measure(target, { connections: 1, seconds })
        ways.push({ name, alone, together: medianOf(together) })
      }
      return ways
    }),
  )
  const rateOf = (name: string) => ways.find((way) => way.name === name)?.together.perSecond ?? Number.NaN
  return {
    scenario: `writes, ${held.toLocaleString('en')} held`,
    limits: [atLeast(`${HELD_OF_BUSY}, of ${HELD_OF_MANY}`, rateOf(HELD_OF_BUSY) / rateOf(HELD_OF_MANY), BUSY_OF_MANY)],
    table: {
      title: `Writes over REST, ${CLIENTS} clients`,
      note: `The ratio is to one client, whose writes wait for nobody else’s. ${COST_NOTE}`,
      columns: ['', 'writes/s', 'p50 ms', 'p95 ms', 'one client/s', 'ratio', 'one client, p50 ms', ...COST_COLUMNS],
      rows: ways.map(({ name, alone, together }) => [
        name,
        together.perSecond.toFixed(0),
        together.p50Ms.toFixed(1),
        together.p95Ms.toFixed(1),
        alone.perSecond.toFixed(0),
        (together.perSecond / alone.perSecond).toFixed(2),
        alone.p50Ms.toFixed(1),
        ...costCells(together),
      ]),
    },
  }
}
