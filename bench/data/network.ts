import type pg from 'pg'
import { fillTables, type Row, type TableRows, withoutIndexes } from './fill.ts'
import { oneOf, type Random, scatteredId, seededRandom, timestamp } from './random.ts'

/** Held over three years, more of it towards the end. Comments were written minutes to a year before. */
const HELD_FROM = new Date('2023-07-01T00:00:00Z')
const HELD_UNTIL = new Date('2026-07-01T00:00:00Z')

/** The community with two of three pending comments, its post with the most of them, and its reviewer. */
export const LARGEST_COMMUNITY = 'community-0'
export const LARGEST_POST = 'post-0-0'
export const REVIEWER = 'reviewer'

const COMMUNITIES = 301
const SHARE_OF_LARGEST = 0.65
/** The share of the largest community's pending comments: one in a hundred of all. */
const SHARE_OF_LARGEST_POST = 0.0155
const MINUTE_MS = 60_000
const YEAR_MINUTES = 525_600

/** Fills a migrated, empty database with `held` pending comments, and everything they refer to; the same rows on every run. */
export async function fillNetwork(pool: pg.Pool, held: number, say: (line: string) => void): Promise<void> {
  await pool.query('alter table comment disable trigger user')
  await fillTables(pool, tablesOf(held), say)
  await pool.query('alter table comment enable trigger user')
  await withoutIndexes(pool, 'review_item', async () => void (await pool.query(HELD_ITEMS)))
  await pool.query(`
    insert into tally (kind, subject_id, total)
    select 'held_comments'::tally_kind, community_id, count(*) from comment where approval_status = 'pending' group by community_id
    union all
    select 'comment_children', parent_id, count(*) from comment where parent_id is not null group by parent_id
    union all
    select 'post_comments', reference_id, count(*) from comment where approval_status is null group by reference_id`)
}

/**
 * The items of the held comments. A third is held by rules, a fifth has a high score. Their keys are those of equal texts, though not the program's.
 */
const HELD_ITEMS = `
  insert into review_item (kind, subject_type, subject_id, community_id, post_id, author_id, state, version, text, data_types, written_at, opened_at,
    placed_at, rule_minutes, signal_minutes, reach_minutes, text_key)
  select 'held', 'comment', comment_id, community_id, case reference_type when 'post' then reference_id end, user_id, 'waiting', version,
    data ->> 'text', data_types, created_at, queued_at, queued_at,
    case when seed % 3 = 0 then 120 * power(2, seed % 7 % 3) end, case when seed % 5 = 0 then 1 + seed % 480 end, 0,
    md5(community_id || (data ->> 'text'))::uuid
  from (select *, abs(hashtext(comment_id)) as seed from comment where approval_status = 'pending') held`

function tablesOf(held: number): TableRows[] {
  const size = {
    held,
    users: Math.min(Math.max(held / 10, 100), 100_000),
    posts: Math.min(Math.max(held / 200, 20), 50_000),
  }
  return [
    { table: 'network_user', columns: 'user_id, display_name, created_at', rows: users(size) },
    {
      table: 'community',
      columns: 'community_id, display_name, need_approval_on_comment_creation, created_at',
      rows: communities(),
    },
    {
      table: 'community_user',
      columns: 'community_id, user_id, membership, roles, created_at',
      rows: members(size),
    },
    { table: 'post', columns: 'post_id, community_id, posted_user_id, data, created_at', rows: posts(size) },
    {
      table: 'comment',
      columns:
        'comment_id, internal_id, target_type, community_id, reference_type, reference_id, user_id, parent_id, root_id, data_types, ' +
        'data, reactions, reactions_count, approval_status, queued_at, created_at, updated_at',
      rows: comments(size),
    },
  ]
}

interface Size {
  held: number
  users: number
  posts: number
}

function* users(size: Size): Iterable<Row> {
  yield [REVIEWER, 'Reviewer', HELD_FROM.toISOString()]
  for (let user = 0; user < size.users; user += 1) yield [`user-${user}`, `Person ${user}`, HELD_FROM.toISOString()]
}

function* communities(): Iterable<Row> {
  for (let community = 0; community < COMMUNITIES; community += 1)
    yield [`community-${community}`, `Community ${community}`, 't', HELD_FROM.toISOString()]
}

/** Everyone is a member of the largest community and of one other. */
function* members(size: Size): Iterable<Row> {
  const since = HELD_FROM.toISOString()
  yield [LARGEST_COMMUNITY, REVIEWER, 'member', '{community-moderator}', since]
  for (let user = 0; user < size.users; user += 1) {
    yield [LARGEST_COMMUNITY, `user-${user}`, 'member', '{}', since]
    yield [`community-${1 + (user % (COMMUNITIES - 1))}`, `user-${user}`, 'member', '{}', since]
  }
}

function* posts(size: Size): Iterable<Row> {
  for (let community = 0; community < COMMUNITIES; community += 1) {
    for (let post = 0; post < postsIn(community, size); post += 1) {
      const words = JSON.stringify({ title: `Post ${post}`, text: 'What do you make of this?' })
      yield [
        `post-${community}-${post}`,
        `community-${community}`,
        `user-${post % size.users}`,
        words,
        HELD_FROM.toISOString(),
      ]
    }
  }
}

function postsIn(community: number, { posts }: Size): number {
  return Math.ceil(community === 0 ? posts * SHARE_OF_LARGEST : (posts * (1 - SHARE_OF_LARGEST)) / COMMUNITIES)
}

/** The held comments, and for one of twenty the published replies to it. */
function* comments(size: Size): Iterable<Row> {
  const random = seededRandom(size.held)
  const texts = Array.from({ length: 2_000 }, () => sentence(random))
  const span = HELD_UNTIL.getTime() - HELD_FROM.getTime()

  for (let number = 0; number < size.held; number += 1) {
    const when = random()
    const heldAt = HELD_FROM.getTime() + Math.floor(Math.sqrt(when) * span)
    const writtenAt = heldAt - Math.floor(waitMinutes(random) * MINUTE_MS)
    const community = random() < SHARE_OF_LARGEST ? 0 : 1 + Math.floor(random() ** 3 * (COMMUNITIES - 1))
    const id = scatteredId(number)
    const space = [
      'community',
      `community-${community}`,
      'post',
      `post-${community}-${postOf(random, community, when, size)}`,
    ]
    const replies = random() < 0.05 ? 1 + Math.floor(random() * 3) : 0
    const likes = random() < 0.2 ? 1 + Math.floor(random() * 9) : 0
    const author = () => `user-${Math.floor(random() ** 2 * size.users)}`
    const text = () => oneOf(texts, random)
    // One in ten is held with the same text as others.
    const words = random() < 0.1 ? text() : text().replace('"}', ` ${number}"}`)

    yield [
      `c${id}`,
      id,
      ...space,
      author(),
      null,
      null,
      '{text}',
      words,
      likes > 0 ? `{"like":${likes}}` : '{}',
      likes,
      'pending',
      timestamp(heldAt),
      timestamp(writtenAt),
      timestamp(writtenAt),
    ]
    for (let reply = 1; reply <= replies; reply += 1) {
      const repliedAt = timestamp(writtenAt + reply * MINUTE_MS)
      yield [
        `r${id}${reply}`,
        id,
        ...space,
        author(),
        `c${id}`,
        `c${id}`,
        '{text}',
        text(),
        '{}',
        0,
        null,
        null,
        repliedAt,
        repliedAt,
      ]
    }
  }
}

/** Half of them within an hour, one of seven after a day, one of twenty after a month, one of fifty after a year. */
function waitMinutes(random: Random): number {
  return Math.min(5 / (1 - random()) ** 3, YEAR_MINUTES)
}

/** One post gets comments all the time; of the others, mostly the newest ones of the day. */
function postOf(random: Random, community: number, when: number, size: Size): number {
  if (community === 0 && random() < SHARE_OF_LARGEST_POST) return 0
  const others = postsIn(community, size) - 1
  return 1 + Math.max(0, Math.floor(others * when * (1 - random() ** 6)) - 1)
}

const WORDS =
  'about after again all always another answer any ask because before between both bring change could day different each even every example fact far few find first give good great group hand help here high home how important into just keep kind know large last later leave let life line little long look make many mean might money more most move much must never next nothing number often old only other own part people place point possible problem public question quite rather read really reason right room same say seem set should show side since small some still such sure take tell than that their then there they thing think this those though thought through time together too try turn under until use very want water way week well what when where which while who why will with without word work world would write year yet you'.split(
    ' ',
  )

function sentence(random: Random): string {
  const words = Array.from({ length: 3 + Math.floor(random() ** 2 * 60) }, () => oneOf(WORDS, random))
  return JSON.stringify({ text: words.join(' ') })
}
