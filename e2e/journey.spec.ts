import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { type Desk, expect, test } from './fixtures.ts'
import { listenForPointer, pointerEventsOf } from './pointer-events.ts'

/** What becomes of one row of the list, and the keys it takes. */
const KEYS = {
  approved: 1,
  rejected: 1,
  'rejected with a reason': 2,
  'approved, then rejected instead': 3,
  'rejected as a group': 2,
  'rejected with a ban': 3,
} as const
type Act = keyof typeof KEYS

const SINGLE_ACTS = ['approved', 'rejected', 'rejected with a reason', 'approved, then rejected instead'] as const
const SINGLE = 11
const IN_GROUP = 6
const BY_SPAMMER = 3
/** Each round has single items, a group and an author who is banned. */
const ROUNDS = IS_STRESS ? 10 : 2
const ITEMS = ROUNDS * (SINGLE + IN_GROUP + BY_SPAMMER)

/** One row: an item, or several that are decided together. */
interface Row {
  act: Act
  author: string
  text: string
  ids: string[]
}

test(`a moderator clears ${ITEMS} items with groups, bans and undo by keyboard alone`, { tag: '@scaled' }, async ({
  page,
  desk,
}) => {
  const { prisma } = desk.database
  const { communityId } = desk.community
  const rows = rounds()
  await hold(desk, rows)
  await listenForPointer(page)
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${communityId}`)
  await page.getByRole('option').first().focus()

  const pressed: string[] = []
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    pressed.push(...keys)
  }
  for (const row of rows) {
    await expect(rowOf(page, row)).toBeFocused()
    await decide(page, row, press)
  }
  const expected = rows.flatMap(({ ids, act }) =>
    ids.map((id) => ({
      subjectId: id,
      outcome: act === 'approved' ? 'approved' : 'rejected',
      reasonId: act === 'rejected with a reason' ? 'spam' : null,
      decidedByName: name,
    })),
  )
  await expect
    .poll(
      () =>
        prisma.decision.findMany({
          where: { communityId, undoneAt: null },
          select: { subjectId: true, outcome: true, reasonId: true, decidedByName: true },
          orderBy: { subjectId: 'asc' },
        }),
      { message: 'waited until all decisions have arrived' },
    )
    .toEqual(expected.sort((one, other) => (one.subjectId < other.subjectId ? -1 : 1)))
  await expect(page.getByRole('search')).toContainText(`${desk.held.length} held in`)
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })).toBe(desk.held.length)
  expect(await prisma.ban.count({ where: { communityId, liftedAt: null } })).toBe(ROUNDS)

  expect(await pointerEventsOf(page)).toEqual([])
  const least = rows.reduce((sum, { act }) => sum + KEYS[act], 0)
  // The box that rejects an author's items is ticked once.
  expect(pressed.filter((key) => key !== 'Tab')).toHaveLength(least + 1)
})

type Press = (...keys: string[]) => Promise<void>

const rowOf = (page: Page, { text }: Row) => page.getByRole('option').filter({ hasText: text })

async function decide(page: Page, row: Row, press: Press): Promise<void> {
  switch (row.act) {
    case 'approved':
      return press('a')
    case 'rejected':
      return press('r')
    case 'rejected with a reason':
      return press('r', '1')
    case 'approved, then rejected instead':
      await press('a')
      await expect(rowOf(page, row)).toHaveCount(0)
      await press('u')
      await expect(rowOf(page, row)).toBeFocused()
      return press('r')
    case 'rejected as a group':
      return rejectGroup(page, row, press)
    case 'rejected with a ban':
      return banAuthor(page, row, press)
  }
}

async function rejectGroup(page: Page, { ids }: Row, press: Press): Promise<void> {
  await press('r')
  await expect(page.getByRole('dialog', { name: `Reject ${ids.length}` })).toContainText(
    `${ids.length} items will be rejected and deleted.`,
  )
  await press('Enter')
}

async function banAuthor(page: Page, { author, ids }: Row, press: Press): Promise<void> {
  await press('b', '2')
  const others = `Also reject this and their ${ids.length - 1} other held items`
  const box = page.getByRole('dialog', { name: `Ban ${author}` }).getByRole('checkbox', { name: others })
  await expect(box).toBeVisible()
  if (!(await box.isChecked())) {
    await tabTo(box, press)
    await press('Space')
  }
  await press('Enter')
  await expect(page.getByRole('region', { name: 'Last action' })).toContainText(`Banned ${author}`)
}

async function tabTo(target: Locator, press: Press): Promise<void> {
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let stop = 0; stop < 60 && !(await isFocused()); stop += 1) await press('Tab')
  await expect(target).toBeFocused()
}

/** Texts that aren't alike: their first word differs in more than digits and repeated letters. */
const WORDS = [
  'Anchor',
  'Bridge',
  'Candle',
  'Desert',
  'Engine',
  'Forest',
  'Garden',
  'Harvest',
  'Island',
  'Jungle',
  'Kettle',
]

/** In the order of the list, newest first. */
function rounds(): Row[] {
  const ids = (count: number) => Array.from({ length: count }, () => `comment-${randomUUID()}`)
  return Array.from({ length: ROUNDS }, (_, round): Row[] => [
    ...WORDS.slice(0, SINGLE).map((word, index) => ({
      act: SINGLE_ACTS[index % SINGLE_ACTS.length] ?? 'approved',
      author: `Visitor ${round}`,
      text: `${word} of round ${round} as it is`,
      ids: ids(1),
    })),
    { act: 'rejected as a group', author: `Seller ${round}`, text: `Cheap watches, shop ${round}`, ids: ids(IN_GROUP) },
    { act: 'rejected with a ban', author: `Spammer ${round}`, text: `Win of round ${round}`, ids: ids(BY_SPAMMER) },
  ]).flat()
}

/** Holds the items of the rows, newer than the desk's own, and waits until they are in groups. */
async function hold(desk: Desk, rows: Row[]): Promise<void> {
  const { prisma } = desk.database
  const { communityId } = desk.community
  const authors = new Map(rows.map(({ author }) => [author, `user-${randomUUID()}`]))
  await prisma.user.createMany({ data: [...authors].map(([displayName, userId]) => ({ userId, displayName })) })
  const items = rows.flatMap(({ act, author, text, ids }) =>
    ids.map((commentId, index) => ({
      commentId,
      userId: authors.get(author) ?? '',
      text: act === 'rejected with a ban' && index > 0 ? `${WORDS[index]} from ${author}` : text,
    })),
  )
  const newest = Date.now()
  await prisma.comment.createMany({
    data: items.map(({ text, ...item }, index) => ({
      ...item,
      communityId,
      targetType: 'community' as const,
      dataTypes: ['text'],
      data: { text },
      approvalStatus: 'pending' as const,
      createdAt: new Date(newest - index * 1_000),
      queuedAt: new Date(newest - index * 1_000),
    })),
  })
}
