import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { fold } from '#server/core/folding/fold.ts'
import { withoutAccents } from '#server/core/folding/without-accents.ts'
import { countDeskMembers, listDeskMembers } from '#server/modules/desk/spaces/list-members.ts'
import { MEMBER_FILTERS, MEMBER_SORTS, MembersInput } from '#server/modules/desk/spaces/schema.ts'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'

const { database } = await testDatabase()
const folder = process.env.DOCKET_DATA
const SPACE = { scope: 'channel' as const, channelId: 'ubuntu' }
const ROLES = ['operator', 'helper', 'bot']

interface Known {
  userId: string
  name: string
  joinedAt: number
  membership: 'member' | 'banned'
  roles: string[]
  isMuted: boolean
  isDeleted: boolean
}

test.skipIf(folder === undefined)(
  'members of the imported channel match a check of each member, by every filter, role, sort and kind of deletion (needs DOCKET_DATA)',
  async () => {
    const records = await readRecords(path.join(folder ?? '', 'ubuntu-irc.ndjson.gz'))
    const home = await mkdtemp(path.join(tmpdir(), 'docket-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const file = path.join(home, 'members.ndjson')
    await writeFile(file, records.join('\n'))
    await loadFiles(systemCtx(database), { files: [file], strict: false })
    const known = membersOf(records).map(standing)
    await database.pool.query(
      `update channel_user cu set membership = s.membership::membership, roles = array(select jsonb_array_elements_text(s.roles)),
         mute_timeout = case when s."isMuted" then now() + interval '1 day' end, is_deleted = s."isDeleted"
       from jsonb_to_recordset($1) as s("userId" text, membership text, roles jsonb, "isMuted" boolean, "isDeleted" boolean)
       where cu.channel_id = 'ubuntu' and cu.user_id = s."userId"`,
      [JSON.stringify(known)],
    )
    await database.pool.query('analyze channel_user')
    const ctx = ctxOf(database, asAdmin(['VIEW_CHANNELS']))

    let found = 0
    for (const asked of askedFor()) {
      const expected = known.filter((one) => fits(one, asked))
      found += expected.length
      const { count } = await countDeskMembers(ctx, MembersInput.parse(asked))
      expect(count, JSON.stringify(asked)).toBe(expected.length)
      for (const sortBy of MEMBER_SORTS) {
        const listed = await listBothWays(ctx, { ...asked, sortBy })
        const ids = expected.toSorted(orderOf[sortBy]).map(({ userId }) => userId)
        expect(listed, JSON.stringify({ ...asked, sortBy })).toEqual(ids.slice(0, 200))
      }
    }
    expect(found).toBeGreaterThan(10_000)
  },
)

interface Asked {
  space: typeof SPACE
  filter: (typeof MEMBER_FILTERS)[number]
  roles?: string[]
  isDeleted?: boolean
  search?: string
}

/**
 * Every filter with no, one and several roles, each kind of deletion, with and without words; in the daily suite, of these only as many as it
 * takes for any two to meet.
 */
function askedFor(): Asked[] {
  return MEMBER_FILTERS.flatMap((filter, nth) =>
    [{}, { roles: ['operator'] }, { roles: ['helper', 'bot'] }].flatMap((roles, offset) =>
      [{}, { isDeleted: false }, { isDeleted: true }].flatMap((deletion, kind) =>
        [{}, { search: 'ubu' }].flatMap((words, index) =>
          IS_STRESS || (kind === (nth + offset) % 3 && index === (nth + offset) % 2)
            ? [{ space: SPACE, filter, ...roles, ...deletion, ...words }]
            : [],
        ),
      ),
    ),
  )
}

function fits(one: Known, { filter, roles, isDeleted, search }: Asked): boolean {
  return (
    isOf(one, filter) &&
    (roles === undefined || roles.some((role) => one.roles.includes(role))) &&
    (isDeleted === undefined || one.isDeleted === isDeleted) &&
    (search === undefined || folded(one.name).includes(search) || one.userId === search)
  )
}

/** Two pages forward, and back again: the way back shows the same. */
async function listBothWays(ctx: Parameters<typeof listDeskMembers>[0], asked: object): Promise<string[]> {
  const page = async (cursor?: string) =>
    listDeskMembers(ctx, MembersInput.parse({ ...asked, limit: 100, ...(cursor && { cursor }) }))
  const pages = [await page()]
  for (let last = pages[0]; last?.next !== undefined && pages.length < 2; last = pages.at(-1))
    pages.push(await page(last.next))
  const last = pages.at(-1)
  if (pages.length > 1 && last?.previous !== undefined) {
    const before = await page(last.previous)
    expect(before.members).toEqual(pages.at(-2)?.members)
  }
  return pages.flatMap(({ members }) => members.map(({ userId }) => userId))
}

function isOf({ membership, isMuted }: Known, filter: (typeof MEMBER_FILTERS)[number]): boolean {
  if (filter === 'muted') return isMuted && membership === 'member'
  if (filter === 'banned') return membership === 'banned'
  return filter === 'member&banned' || membership === 'member'
}

/** People are sorted and found without regard to spelling and accents. */
const folded = (name: string) => fold(withoutAccents([...name].slice(0, 80).join(''))).text
const byText = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const orderOf = {
  lastCreated: (a: Known, b: Known) => b.joinedAt - a.joinedAt || byText(a.userId, b.userId),
  firstCreated: (a: Known, b: Known) => a.joinedAt - b.joinedAt || byText(b.userId, a.userId),
  displayName: (a: Known, b: Known) => byText(folded(a.name), folded(b.name)) || byText(a.userId, b.userId),
}

/** Data that the file lacks: one of eleven is banned, one of seven muted, one of thirteen deleted, and some hold roles. */
function standing(known: Pick<Known, 'userId' | 'name' | 'joinedAt'>, index: number): Known {
  return {
    ...known,
    membership: index % 11 === 0 ? 'banned' : 'member',
    isMuted: index % 7 === 0,
    isDeleted: index % 13 === 0,
    roles: ROLES.filter((_, position) => index % (position * 20 + 17) === 0),
  }
}

function membersOf(records: string[]): Pick<Known, 'userId' | 'name' | 'joinedAt'>[] {
  const parsed = records.map((record) => JSON.parse(record))
  const names = new Map(
    parsed.filter(({ type }) => type === 'user').map(({ userId, displayName }) => [userId, displayName]),
  )
  return parsed
    .filter(({ type }) => type === 'channelUser')
    .map(({ userId, createdAt }) => ({ userId, joinedAt: Date.parse(createdAt), name: names.get(userId) ?? '' }))
}

/** All of the file except the messages, which are most of it. */
async function readRecords(file: string): Promise<string[]> {
  const records: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) }))
    if (!line.startsWith('{"type":"message"')) records.push(line)
  return records
}
