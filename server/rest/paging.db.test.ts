import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS, sampled, scaled } from '#server/testing/scaled.ts'

const { database } = await testDatabase()
const { call, tokenOf } = await testApi(database, { RATE_LIMITS: 'off' })
const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)
const admin = await tokenOf()

/** For an order whose reverse has many. */
const SOME = IS_STRESS ? 1_500 : 600
const MANY = Math.max(SOME, scaled(500))
const LIMIT = 100
const AUTHOR = 'author'
await sql(`insert into network_user (user_id, display_name) values ($1, 'Author')`, [AUTHOR])

/** A row with its sort values: `sort`, and among equals `tie`, as text that compares as the list does. */
interface Row {
  id: string
  sort: string
  tie: string
}

interface Page {
  ids: string[]
  next?: string
  prev?: string
  total?: { totalCount: number; totalCountIsLowerBound?: true }
}

/** One list in one of its orders, and how its rows are added, removed and moved. */
interface List {
  /** 1 if `sort` or `tie` ascends. */
  order: [1 | -1, 1 | -1]
  page(options: Record<string, string | number>): Promise<Page>
  /** Adds this many rows and returns them. */
  fill(count: number): Promise<Row[]>
  /** Adds rows with the given positions. */
  add(rows: Row[]): Promise<unknown>
  remove(ids: string[]): Promise<unknown>
  /** Moves a row to another position. */
  move?(id: string): Promise<Row>
}

/** Lists share nothing, and neither do two rows that move. */
let lists = 0
let moves = 0

/** Of the rows 1 to n, three each share a time, and every third matches the query exactly. */
const AT = `timestamptz '2026-01-01' + (n / 3) * interval '1 second'`
const TIE = `left(md5(n::text), 12) || 'm'`
const GIVEN = 'jsonb_to_recordset($1) as given(id text, sort text, tie text)'
const toTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function messages(sortBy: 'createdAt' | 'relevance', orderBy: 'desc' | 'asc'): List {
  const channelId = `place-${lists++}`
  // By relevance, a position begins with 1 for an exact match of the query.
  const rank = sortBy === 'relevance' ? `case when data ->> 'text' = 'heron' then '1' else '0' end` : `''`
  const place = `message_id as id, ${rank} || ${toTime('created_at')} as sort, internal_id as tie`
  return {
    order: orderBy === 'desc' ? [-1, 1] : [1, -1],
    page: searching('messages', { query: 'heron', channelId }, { sortBy, orderBy }),
    fill: async (count) => {
      await sql('insert into channel (channel_id) values ($1)', [channelId])
      return rowsOf(
        `insert into message (message_id, internal_id, channel_id, user_id, data, created_at)
         select $1 || '-' || n, ${TIE}, $1, '${AUTHOR}', jsonb_build_object('text', case when n % 3 = 0 then 'heron' else 'herons' end), ${AT}
         from generate_series(1, $2::int) n returning ${place}`,
        [channelId, count],
      )
    },
    add: (rows) =>
      sql(
        `insert into message (message_id, internal_id, channel_id, user_id, data, created_at)
         select id, tie, $2, '${AUTHOR}', jsonb_build_object('text', case when sort ^@ '1' then 'heron' else 'herons' end), right(sort, 24)::timestamptz
         from ${GIVEN}`,
        [JSON.stringify(rows), channelId],
      ),
    remove: (ids) => sql('update message set is_deleted = true where message_id = any($1)', [ids]),
  }
}

function channels(sortBy: 'lastActivity' | 'relevance', orderBy: 'desc' | 'asc'): List {
  const word = `egret${lists++}`
  const rank = sortBy === 'relevance' ? `case when display_name = '${word}' then '1' else '0' end` : `''`
  const place = `channel_id as id, ${rank} || ${toTime('last_activity')} as sort, internal_id as tie`
  return {
    order: orderBy === 'desc' ? [-1, 1] : [1, -1],
    page: searching('channels', { query: word }, { sortBy, orderBy }),
    fill: (count) =>
      rowsOf(
        `insert into channel (channel_id, internal_id, display_name, last_activity)
         select $1 || '-' || n, $1 || ${TIE}, case when n % 3 = 0 then $1 else $1 || 's' end, ${AT}
         from generate_series(1, $2::int) n returning ${place}`,
        [word, count],
      ),
    add: (rows) =>
      sql(
        `insert into channel (channel_id, internal_id, display_name, last_activity)
         select id, tie, case when sort ^@ '1' then $2 else $2 || 's' end, right(sort, 24)::timestamptz from ${GIVEN}`,
        [JSON.stringify(rows), word],
      ),
    remove: (ids) => sql('update channel set is_deleted = true where channel_id = any($1)', [ids]),
    move: (id) =>
      theRow(`update channel set last_activity = $2 where channel_id = $1 returning ${place}`, [
        id,
        new Date(Date.UTC(2026, 1, 1) + 1_000 * moves++),
      ]),
  }
}

function members(version: 'v3' | 'v4', sortBy: 'lastCreated' | 'firstCreated' | 'displayName'): List {
  const channelId = `place-${lists++}`
  const isByName = sortBy === 'displayName'
  const orders = { lastCreated: [-1, 1], firstCreated: [1, -1], displayName: [1, 1] } as const
  const query = new URLSearchParams({ sortBy, ...(version === 'v4' && { 'memberships[]': 'member' }) })
  const place = `u.user_id as id, ${isByName ? 'lower(u.display_name)' : toTime('cu.created_at')} as sort, u.user_id as tie`
  return {
    order: [...orders[sortBy]],
    page: async (options) => {
      const path = `/api/${version}/channels/${channelId}/users?${query}&${inOptions(options)}`
      const { status, body } = await call('GET', path, { token: admin })
      expect(status).toBe(200)
      return { ids: body.channelUsers.map((one: { userId: string }) => one.userId), ...body.paging }
    },
    fill: async (count) => {
      await sql('insert into channel (channel_id) values ($1)', [channelId])
      await sql(
        `insert into network_user (user_id, display_name)
         select $1 || ${TIE}, 'Name ' || lpad((n / 3)::text, 5, '0') from generate_series(1, $2::int) n`,
        [channelId, count],
      )
      await sql(
        `insert into channel_user (channel_id, user_id, membership, created_at)
         select $1, $1 || ${TIE}, 'member', ${AT} from generate_series(1, $2::int) n`,
        [channelId, count],
      )
      return rowsOf(
        `select ${place} from channel_user cu join network_user u using (user_id) where cu.channel_id = $1`,
        [channelId],
      )
    },
    add: async (rows) => {
      const given = JSON.stringify(rows)
      await sql(`insert into network_user (user_id, display_name) select tie, upper(sort) from ${GIVEN}`, [given])
      await sql(
        `insert into channel_user (channel_id, user_id, membership, created_at)
         select $2, tie, 'member', ${isByName ? 'now()' : 'sort::timestamptz'} from ${GIVEN}`,
        [given, channelId],
      )
    },
    remove: (ids) =>
      sql(`update channel_user set membership = 'none' where channel_id = $1 and user_id = any($2)`, [channelId, ids]),
    ...(isByName && {
      move: (id: string) => {
        moves += 1
        const name = `Name ${String((moves * 7_919) % 3_333).padStart(5, '0')}`
        return theRow(`update network_user u set display_name = $2 where user_id = $1 returning ${place}`, [id, name])
      },
    }),
  }
}

function searching(
  what: 'messages' | 'channels',
  query: Record<string, string>,
  order: { sortBy: string; orderBy: string },
): List['page'] {
  return async (options) => {
    const path = `/api/v2/search/${what}?${new URLSearchParams(query)}&${inOptions({ ...order, ...options })}`
    const { status, body } = await call('GET', path, { token: admin })
    expect(status).toBe(200)
    const { paging, totalCount, totalCountIsLowerBound } = body.data
    return {
      ids: body.data[what].map((one: Record<string, string>) => one[what === 'messages' ? 'messageId' : 'channelId']),
      ...paging,
      total: { totalCount, ...(totalCountIsLowerBound && { totalCountIsLowerBound }) },
    }
  }
}

function inOptions(options: Record<string, string | number>): string {
  return Object.entries(options)
    .map(([name, value]) => `options[${name}]=${encodeURIComponent(value)}`)
    .join('&')
}

async function rowsOf(statement: string, values: unknown[]): Promise<Row[]> {
  return (await sql(statement, values)).rows
}

async function theRow(statement: string, values: unknown[]): Promise<Row> {
  const [row] = await rowsOf(statement, values)
  if (row === undefined) throw new Error('there is no such row')
  return row
}

type Way = 'next' | 'prev'
const idsOf = (rows: Row[]) => rows.map(({ id }) => id)

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** The expected list, updated with each change. */
class Model {
  readonly list: List
  readonly moved = new Set<string>()
  /** In order. */
  rows: Row[] = []
  #added = 0

  constructor(list: List) {
    this.list = list
  }

  static async of(list: List, count: number): Promise<Model> {
    const model = new Model(list)
    model.#put(await list.fill(count))
    return model
  }

  /** The rows past a row, nearest first, whether or not the row itself still exists. */
  beyond(cursor: Row | undefined, way: Way): Row[] {
    const side = way === 'next' ? 1 : -1
    const past = cursor === undefined ? this.rows : this.rows.filter((row) => this.#compare(row, cursor) * side > 0)
    return way === 'next' ? past : past.toReversed()
  }

  #put(rows: Row[]): void {
    this.rows = [...this.rows, ...rows].sort((one, other) => this.#compare(one, other))
  }

  #compare(one: Row, other: Row): number {
    const [bySort, byTie] = this.list.order
    return bySort * compare(one.sort, other.sort) || byTie * compare(one.tie, other.tie)
  }

  /** On both sides of each of these rows, as near as possible: all ties end in m. */
  async addBeside(neighbours: (Row | undefined)[]): Promise<void> {
    const rows = neighbours.flatMap((row) => {
      if (row === undefined) return []
      const ties = ['a', 'z'].map((side) => `${row.tie.slice(0, -1)}${side}${this.#added++}m`)
      return ties.map((tie) => ({ id: tie, sort: row.sort, tie }))
    })
    await this.list.add(rows)
    this.#put(rows)
  }

  async remove(gone: (Row | undefined)[]): Promise<void> {
    const ids = new Set(gone.flatMap((row) => row?.id ?? []))
    await this.list.remove([...ids])
    this.rows = this.rows.filter(({ id }) => !ids.has(id))
  }

  async move(row: Row | undefined): Promise<void> {
    if (row === undefined || this.list.move === undefined) return
    const moved = await this.list.move(row.id)
    this.rows = this.rows.filter(({ id }) => id !== row.id)
    this.#put([moved])
    this.moved.add(row.id)
  }
}

/** Between two pages, rows are added, removed and moved on both sides of the cursor, and its own row is removed. */
async function change(model: Model, cursor: Row, way: Way, turn: number): Promise<void> {
  const ahead = model.beyond(cursor, way)
  const seen = model.beyond(cursor, way === 'next' ? 'prev' : 'next')
  // First more are added than removed, then the reverse: so the count crosses the exact limit both ways.
  const more = turn % 100 < 35 ? [] : [seen[300], ahead[300], seen[400], ahead[400]]
  await model.addBeside([cursor, seen[40], ahead[50], seen[seen.length >> 1]])
  if (ahead.length > 2 * LIMIT) {
    await model.remove([cursor, seen[30], seen[31], ahead[0], ahead[1], ahead[150], ...more])
    await model.move(ahead[60])
    await model.move(seen[60])
  }
}

/** Follows the tokens to the end: each page is what follows the previous one, as the list is when it is read. */
async function walk(model: Model, way: Way, from?: { token: string; cursor: Row }) {
  const read: string[] = []
  let { token, cursor } = { ...from } as { token?: string; cursor?: Row }
  for (let turn = way === 'next' ? 0 : 100; ; turn += 1) {
    const page = await model.list.page({ limit: LIMIT, ...(token !== undefined && { token }) })
    const expected = model.beyond(cursor, way).slice(0, LIMIT)
    const nearestFirst = way === 'next' ? page.ids : page.ids.toReversed()
    expect(nearestFirst).toEqual(idsOf(expected))
    if (page.total) expect(page.total).toEqual(totalOf(model.rows.length))

    read.push(...nearestFirst)
    const [first] = expected
    cursor = expected.at(-1)
    token = page[way]
    if (token === undefined) {
      expect(model.beyond(cursor, way)).toEqual([])
      return { read, first, back: page[way === 'next' ? 'prev' : 'next'] }
    }
    if (cursor) await change(model, cursor, way, turn)
  }
}

/** `totalCount` is exact up to 10,000 (docs/interface/search.md#totals-of-a-search). */
function totalOf(count: number): Page['total'] {
  return count <= 10_000 ? { totalCount: count } : { totalCount: 10_000, totalCountIsLowerBound: true }
}

const toToken = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64')

const LISTS: [string, number, () => List][] = [
  ['messages by createdAt', MANY, () => messages('createdAt', 'desc')],
  ['messages by createdAt, oldest first', SOME, () => messages('createdAt', 'asc')],
  ['messages by relevance', MANY, () => messages('relevance', 'desc')],
  ['messages by relevance, worst first', SOME, () => messages('relevance', 'asc')],
  ['members by lastCreated', MANY, () => members('v3', 'lastCreated')],
  ['members by firstCreated', MANY, () => members('v3', 'firstCreated')],
  ['members by displayName', MANY, () => members('v3', 'displayName')],
  ['members (v4) by lastCreated', MANY, () => members('v4', 'lastCreated')],
  ['members (v4) by firstCreated', SOME, () => members('v4', 'firstCreated')],
  ['members (v4) by displayName', SOME, () => members('v4', 'displayName')],
  ['channels by lastActivity', MANY, () => channels('lastActivity', 'desc')],
  ['channels by lastActivity, quietest first', SOME, () => channels('lastActivity', 'asc')],
  ['channels by relevance', MANY, () => channels('relevance', 'desc')],
  ['channels by relevance, worst first', SOME, () => channels('relevance', 'asc')],
]

describe.each(sampled(LISTS, 7))('%s', (_name, count, make) => {
  /**
   * A row that moves counts as one removed and one added: it may appear at both positions or at neither, and every other row still appears
   * once.
   */
  test(`of ${count}, each row that stays appears once forward and once back, whatever is added, removed and moved`, async () => {
    const model = await Model.of(make(), count)
    const initial = idsOf(model.rows)

    const forward = await walk(model, 'next')
    if (forward.back === undefined || forward.first === undefined) throw new Error('the last page has no way back')
    const back = await walk(model, 'prev', { token: forward.back, cursor: forward.first })
    expect(back.back).toBeDefined()

    const left = new Set(idsOf(model.rows))
    const stayed = new Set(initial.filter((id) => left.has(id) && !model.moved.has(id)))
    expect(stayed.size).toBeGreaterThan(count * 0.8)
    const standing = idsOf(model.rows).filter((id) => stayed.has(id))
    const last = standing.slice(-LIMIT)
    expect(forward.read.filter((id) => stayed.has(id))).toEqual(standing)
    const reread = new Set(back.read)
    expect(back.read.filter((id) => stayed.has(id))).toEqual(standing.filter((id) => reread.has(id)).reverse())
    expect(standing.filter((id) => !reread.has(id) && !last.includes(id))).toEqual([])
    for (const { read } of [forward, back]) {
      const unmoved = read.filter((id) => !model.moved.has(id))
      expect(new Set(unmoved).size).toBe(unmoved.length)
    }
  })

  test('a token that names a number of rows starts there, and continues from there', async () => {
    const model = await Model.of(make(), 350)
    const all = idsOf(model.rows)
    for (const skip of [0, 1, 180, 349]) {
      const page = await model.list.page({ token: toToken({ skip, limit: 50 }) })
      expect(page.ids).toEqual(all.slice(skip, skip + 50))
      expect([page.next !== undefined, page.prev !== undefined]).toEqual([skip + 50 < 350, skip > 0])
      if (page.next) expect((await model.list.page({ token: page.next })).ids).toEqual(all.slice(skip + 50, skip + 100))
      if (page.prev)
        expect((await model.list.page({ token: page.prev })).ids).toEqual(all.slice(Math.max(skip - 50, 0), skip))
    }
    expect((await model.list.page({ token: toToken({ skip: 340 }), limit: 7 })).ids).toEqual(all.slice(340, 347))
    expect(await model.list.page({ token: toToken({ skip: 350, limit: 50 }) })).toMatchObject({ ids: [] })
  })

  test('a client that reads only `skip` and `limit` of a token gets each row once, forward and back', async () => {
    const model = await Model.of(make(), 350)
    const all = idsOf(model.rows)
    const reread = (token: string) => {
      const { skip, limit } = JSON.parse(Buffer.from(token, 'base64').toString())
      return model.list.page({ token: toToken({ skip, limit }) })
    }
    let page = await model.list.page({ limit: 60 })
    const forward = [...page.ids]
    while (page.next !== undefined && forward.length < all.length) {
      page = await reread(page.next)
      forward.push(...page.ids)
    }
    expect(forward).toEqual(all)

    const back: string[] = []
    while (page.prev !== undefined && back.length < all.length) {
      page = await reread(page.prev)
      back.unshift(...page.ids)
    }
    expect(back).toEqual(all.slice(0, 300))
  })

  test('if the rest has been removed, an empty page leads back to everything left', async () => {
    const model = await Model.of(make(), 350)
    const middle = await model.list.page({ token: toToken({ skip: 100, limit: LIMIT }) })
    const rows = model.rows

    await model.remove(rows.slice(200))
    const end = await model.list.page({ token: middle.next ?? '' })
    expect([end.ids, end.next]).toEqual([[], undefined])
    const last = await model.list.page({ token: end.prev ?? '' })
    expect(last.ids).toEqual(idsOf(rows.slice(100, 200)))

    await model.remove(rows.slice(0, 100))
    const start = await model.list.page({ token: middle.prev ?? '' })
    expect([start.ids, start.prev]).toEqual([[], undefined])
    expect((await model.list.page({ token: start.next ?? '' })).ids).toEqual(idsOf(rows.slice(100, 200)))
  })
})
