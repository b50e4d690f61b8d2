import { withDatabase } from '../data/bench-people.ts'
import { CHANNEL, importedDatabase } from '../data/imported-database.ts'
import { compare, type Target } from '../measure/load.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { type Program, SECRET, withDocket } from '../programs/programs.ts'
import type { ComparedQuery } from '../reports/compared-report.ts'
import type { Report } from '../reports/results.ts'
import { MEMBERS, reportOf } from './members-report.ts'

/** A channel with a hundred of the same people. */
const SMALL = 'bench-small'
const SMALL_MEMBERS = 100
const A_PAGE = 20

interface Options {
  seconds: number
  say: (line: string) => void
}

/** How long a page of members takes at the desk: of the imported channel, and the same page of a channel of a hundred. */
export async function benchMembers(
  serverUrl: string,
  { seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await importedDatabase(serverUrl, MEMBERS, say)
  const [cookie = ''] = await withDatabase(databaseUrl, async (database) => {
    await database.pool.query(`
      insert into channel (channel_id, display_name) values ('${SMALL}', 'A hundred people') on conflict do nothing`)
    await database.pool.query(`
      insert into channel_user (channel_id, user_id, membership, created_at)
      select '${SMALL}', user_id, membership, created_at from channel_user
      where channel_id = '${CHANNEL}' and roles = '{}' order by user_id limit ${SMALL_MEMBERS}
      on conflict do nothing`)
    await database.pool.query('analyze channel_user')
    return makeDeskSessions(database, { count: 1, secret: SECRET, networkRole: 'support' })
  })
  return withDocket(databaseUrl, async (docket) => {
    const measures: ComparedQuery[] = []
    for (const [name, asked] of Object.entries(PAGES)) {
      say(name)
      const cursors = await Promise.all(
        [CHANNEL, SMALL].map((channelId) => third(docket, cookie, { channelId, asked })),
      )
      const ways = [CHANNEL, SMALL].map((channelId, at) =>
        targetOf(docket, cookie, { channelId, asked, cursor: asked.isThird ? cursors[at] : undefined }),
      )
      const [large, small] = ways
      if (large && small) measures.push({ name, ...(await compare(large, small, { connections: 1, seconds })) })
    }
    return { databaseUrl, report: reportOf(measures) }
  })
}

const PAGES: Record<string, Asked> = {
  'the latest': {},
  'the third page': { isThird: true },
  'by name': { sortBy: 'displayName' },
  'first come first, members and banned': { sortBy: 'firstCreated', filter: 'member&banned' },
  'not deleted': { isDeleted: false },
}

interface Asked {
  sortBy?: string
  filter?: string
  isDeleted?: boolean
  isThird?: boolean
}

interface Wanted {
  channelId: string
  asked: Asked
  cursor?: string | undefined
}

function pathOf({ channelId, asked: { isThird: _, ...asked }, cursor }: Wanted): string {
  const space = { scope: 'channel', channelId }
  const input = { space, ...asked, limit: A_PAGE, ...(cursor !== undefined && { cursor }) }
  return `/api/trpc/members.list?input=${encodeURIComponent(JSON.stringify(input))}`
}

function targetOf({ origin }: Program, cookie: string, wanted: Wanted): Target {
  const path = pathOf(wanted)
  return { origin, method: 'GET', headers: { cookie }, nextPath: () => path }
}

/** The cursor of the third page. */
async function third({ origin }: Program, cookie: string, wanted: Wanted): Promise<string | undefined> {
  let cursor: string | undefined
  for (let page = 1; page < 3; page += 1) {
    const answer = await fetch(new URL(pathOf({ ...wanted, cursor }), origin), { headers: { cookie } })
    if (!answer.ok) throw new Error(`a page of ${wanted.channelId} answered ${answer.status}`)
    const { result } = await answer.json()
    cursor = result.data.next
  }
  return cursor
}
