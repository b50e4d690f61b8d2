import { stringify } from 'node:querystring'
import pg from 'pg'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { SearchMessagesQuery } from '#server/modules/search/schema.ts'
import { searchMessages } from '#server/modules/search/search-messages.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { listMembers } from '#server/modules/spaces/channels/list-members.ts'
import { MembersQuery } from '#server/modules/spaces/channels/schema.ts'
import { ban } from '#server/modules/spaces/sanctions/ban.ts'
import { compareWithBare, type Measurable } from './against-bare.ts'
import { issueToken } from './bench-people.ts'
import { CHANNEL, COMMUNITY, importedDatabase, MODERATOR } from './imported-database.ts'
import type { Target } from './load.ts'
import { withDocket } from './programs.ts'
import { type ComparedEndpoint, LOAD, REST, reportOf } from './rest-report.ts'
import type { Report } from './results.ts'

const RARE_WORD = 'bluetooth'
const COMMON_WORD = 'ubuntu'

interface Options {
  seconds: number
  say: (line: string) => void
}

/** Endpoints 1, 2, 5, 6 and 7 (docs/interface/README.md) on the imported data: each against the bare server with its statements. */
export async function benchRest(
  serverUrl: string,
  { seconds, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await importedDatabase(serverUrl, REST, say)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const token = await issueToken(databaseUrl, MODERATOR)
    const endpoints = await withDocket(databaseUrl, async ({ origin }) => {
      const compared: ComparedEndpoint[] = []
      for (const [name, endpoint] of Object.entries(await endpointsOf(pool, { origin, token }))) {
        say(name)
        const how = { token, connections: LOAD, seconds: seconds * 5 }
        compared.push({ name, ...(await compareWithBare(databaseUrl, endpoint, how)) })
      }
      return compared
    })
    return { databaseUrl, report: reportOf(endpoints) }
  } finally {
    await pool.end()
  }
}

interface ApiAccess {
  origin: string
  token: string
}

async function endpointsOf(pool: pg.Pool, api: ApiAccess): Promise<Record<string, Measurable>> {
  return {
    '1, the review queue': {
      target: read(api, `/api/v3/communities/${COMMUNITY}/comments/review-queue`),
      act: (ctx) => listReviewQueue(ctx, { communityId: COMMUNITY, ...ReviewQueueQuery.parse({}) }),
    },
    '2, a ban from a channel': await bans(pool, api),
    '5, messages with a rare word': search(api, RARE_WORD),
    '5, messages with a common word': search(api, COMMON_WORD),
    '6, the members of a channel': {
      target: read(api, `/api/v3/channels/${CHANNEL}/users`),
      act: (ctx) => listMembers(ctx, { channelId: CHANNEL, ...MembersQuery.parse({}) }),
    },
    '7, a channel': {
      target: read(api, `/api/v3/channels/${CHANNEL}`),
      act: (ctx) => getChannel(ctx, { channelId: CHANNEL }),
    },
  }
}

function read({ origin, token }: ApiAccess, path: string): Target {
  return { origin, method: 'GET', headers: { authorization: `Bearer ${token}` }, nextPath: () => path }
}

function search(api: ApiAccess, word: string): Measurable {
  return {
    target: read(api, `/api/v2/search/messages?${stringify({ query: word })}`),
    act: async (ctx) => ({
      status: 'success',
      data: await searchMessages(ctx, SearchMessagesQuery.parse({ query: word })),
    }),
  }
}

/** Each bans a different member, so that each changes something. */
async function bans(pool: pg.Pool, { origin, token }: ApiAccess): Promise<Measurable> {
  await liftBans(pool)
  const [recorded = '', ...members] = await membersOf(pool)
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
    },
    aboutUser: recorded,
    act: (ctx) => ban(ctx, channelSpace, { spaceId: CHANNEL, userIds: [recorded] }),
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
