import { stringify } from 'node:querystring'
import pg from 'pg'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { SearchMessagesQuery } from '#server/modules/search/schema.ts'
import { searchMessages } from '#server/modules/search/search-messages.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { listMembers } from '#server/modules/spaces/channels/list-members.ts'
import { MembersQuery } from '#server/modules/spaces/channels/schema.ts'
import { issueToken } from '../data/bench-people.ts'
import { CHANNEL, COMMUNITY, importedDatabase, MODERATOR } from '../data/imported-database.ts'
import { banFloor } from '../floors/ban.ts'
import { channelFloor } from '../floors/channel.ts'
import { membersFloor } from '../floors/members.ts'
import { messageSearchFloor } from '../floors/message-search.ts'
import { reviewQueueFloor } from '../floors/review-queue.ts'
import { type CostMeter, withCostMeter } from '../measure/cost-meter.ts'
import type { Target } from '../measure/load.ts'
import { withDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'
import { measureSection, type SectionRequest } from '../reports/section.ts'
import { REST, type RestSection, reportOf } from './rest-report.ts'

const RARE_WORD = 'bluetooth'

const LOAD = 32
const OF_FLOOR = 0.5
/** Of the review queue. */
const QUEUE_OF_FLOOR = 0.8
/** The default lengths of pages. */
const ROWS = { queue: 10, members: 10, messages: 20 }

interface Options {
  seconds: number
  say: (line: string) => void
}

/** Endpoints 1, 2, 5, 6 and 7 (docs/interface/README.md) on the imported data: each against one statement, and against its own. */
export async function benchRest(
  serverUrl: string,
  { seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await importedDatabase(serverUrl, REST, say)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const token = await issueToken(databaseUrl, MODERATOR)
    const sections = await withCostMeter(databaseUrl, (meter) =>
      withDocket(databaseUrl, async ({ origin, pid }) => {
        const measured: RestSection[] = []
        for (const { leastOfFloor, ...request } of await requestsOf(pool, { origin, pid, token, meter })) {
          say(request.name)
          const section = await measureSection(request, { databaseUrl, token, seconds: seconds * 2 })
          measured.push({ ...section, leastOfFloor })
        }
        return measured
      }),
    )
    return { databaseUrl, report: reportOf(sections) }
  } finally {
    await pool.end()
  }
}

interface ApiAccess {
  origin: string
  pid: number | undefined
  token: string
  meter: CostMeter
}

type RestRequest = SectionRequest & Pick<RestSection, 'leastOfFloor'>

async function requestsOf(pool: pg.Pool, api: ApiAccess): Promise<RestRequest[]> {
  const common = { connections: LOAD, leastOfFloor: OF_FLOOR }
  return [
    {
      ...common,
      name: '1, the review queue',
      leastOfFloor: QUEUE_OF_FLOOR,
      target: read(api, `/api/v3/communities/${COMMUNITY}/comments/review-queue`),
      act: (ctx) => listReviewQueue(ctx, { communityId: COMMUNITY, ...ReviewQueueQuery.parse({}) }),
      floor: reviewQueueFloor(COMMUNITY, MODERATOR, ROWS.queue),
    },
    { ...common, name: '2, a ban from a channel', ...(await bans(pool, api)) },
    {
      ...common,
      name: '5, messages with a rare word',
      target: read(api, `/api/v2/search/messages?${stringify({ query: RARE_WORD })}`),
      act: (ctx) => searchMessages(ctx, SearchMessagesQuery.parse({ query: RARE_WORD })),
      floor: messageSearchFloor(RARE_WORD, MODERATOR, ROWS.messages),
    },
    {
      ...common,
      name: '6, the members of a channel',
      target: read(api, `/api/v3/channels/${CHANNEL}/users`),
      act: (ctx) => listMembers(ctx, { channelId: CHANNEL, ...MembersQuery.parse({}) }),
      floor: membersFloor(CHANNEL, ROWS.members),
    },
    {
      ...common,
      name: '7, a channel',
      target: read(api, `/api/v3/channels/${CHANNEL}`),
      act: (ctx) => getChannel(ctx, { channelId: CHANNEL }),
      floor: channelFloor(CHANNEL, MODERATOR),
    },
  ]
}

function read(api: ApiAccess, path: string): Target {
  return {
    origin: api.origin,
    method: 'GET',
    headers: { authorization: `Bearer ${api.token}` },
    nextPath: () => path,
    costs: costsOf(api),
  }
}

function costsOf({ meter, pid }: ApiAccess): Target['costs'] {
  return pid === undefined ? undefined : { meter, pid }
}

/** Each bans a different member, so that each changes something. Its statements can't be replayed: no audit row is accepted twice. */
async function bans(pool: pg.Pool, api: ApiAccess): Promise<Omit<SectionRequest, 'name' | 'connections'>> {
  const { origin, token } = api
  await liftBans(pool)
  const members = await membersOf(pool)
  let banned = 0
  const nextMember = () => {
    const userId = members[banned]
    if (userId === undefined) throw new Error('The channel has no more members to ban: make the rounds shorter')
    banned += 1
    return userId
  }
  return {
    target: {
      origin,
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      nextPath: () => `/api/v3/channels/${CHANNEL}/users/ban`,
      nextBody: () => JSON.stringify({ userIds: [nextMember()] }),
      costs: costsOf(api),
    },
    // The first request is about this one.
    aboutUser: members[0],
    floor: banFloor(CHANNEL, MODERATOR, members[0] ?? ''),
    putBack: async () => {
      await liftBans(pool)
      banned = 0
    },
  }
}

async function membersOf(pool: pg.Pool): Promise<string[]> {
  const found = await pool.query<{ userId: string }>(
    `select user_id as "userId" from channel_user
     where channel_id = $1 and user_id <> $2 and membership = 'member' order by md5(user_id)`,
    [CHANNEL, MODERATOR],
  )
  return found.rows.map(({ userId }) => userId)
}

/** Makes all of them members again. The audit log keeps its entries. */
async function liftBans(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with back as (
       update channel_user set membership = 'member' where channel_id = $1 and membership = 'banned' returning 1),
     lifted as (
       update ban set lifted_at = now() where scope = 'channel' and channel_id = $1 and lifted_at is null)
     insert into tally_delta (kind, subject_id, delta) select 'channel_members', $1, count(*) from back having count(*) > 0`,
    [CHANNEL],
  )
  await pool.query('vacuum channel_user, ban')
}
