import type { Page } from '@playwright/test'
import { queriesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('the palette opens with its shortcut, and Escape returns focus', async ({ page, desk }) => {
  await openQueue(page, desk)
  await page.keyboard.press('j')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('option', { name: desk.held[1]?.text ?? '' })).toBeFocused()
})

test('finds a person by ID and opens their page and their held items', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk)
  const author = await authorOf(desk, 2)
  await page.keyboard.press('Control+k')
  await field(page).fill(author.userId)
  await expect(hit(page, 'Author third')).toContainText('1 held')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/users/${author.userId}`)
  await page.getByRole('link', { name: '1 held' }).click()
  await expect(page).toHaveURL(`${desk.url}/queue?${new URLSearchParams({ authorId: author.userId })}`)
})

test('a community result opens its queue', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk)
  await page.keyboard.press('Control+k')
  await field(page).fill(desk.community.displayName)
  await expect(hit(page, `Queue of ${desk.community.displayName}`)).toContainText('8 held')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('an action of the page runs from the palette as with its key', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk)
  await page.keyboard.press('Control+k')
  await field(page).fill('mute')
  await expect(hit(page, 'Mute the author')).toBeVisible()
  await field(page).fill('export')
  await expect(hit(page, 'Export as CSV')).toBeVisible()
  await field(page).fill('approve')
  await expect(hit(page, 'approve')).toContainText('A')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('status')).toContainText('Approved: Author first')
  await expect(page.getByRole('option', { name: desk.held[1]?.text ?? '' })).toBeFocused()
  await expect
    .poll(() => desk.stateOf(desk.held[0]?.commentId ?? ''), { message: 'waited until the approval has arrived' })
    .toBe('approved')
})

test('the palette opens pages, and going back keeps the previous item', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk)
  await page.keyboard.press('Control+k')
  await field(page).fill('preferences')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'My preferences' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Held' })).toBeVisible()
})

test('arrow keys move through all groups while the field keeps focus', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk)
  await page.keyboard.press('Control+k')
  await field(page).fill('re')
  const options = page.getByRole('dialog').getByRole('option')
  await expect(options.first()).toHaveAttribute('data-focused', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('data-focused', 'true')
  await expect(field(page)).toBeFocused()
})

test('a person without review rights sees no queue but can find people', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/queue`)
  const author = await authorOf(desk, 0)
  await page.getByRole('button', { name: 'Search or run a command' }).click()
  await expect(page.getByRole('dialog').getByRole('option', { name: 'Queue', exact: true })).toHaveCount(0)
  await field(page).fill(author.userId)
  await expect(hit(page, 'Author first')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Author first' })).toBeVisible()
})

test('reports a failed search and still offers actions of the page', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk)
  await page.route(queriesOf('palette.find'), (route) => route.abort())
  await page.keyboard.press('Control+k')
  await field(page).fill('mute')
  await expect(hit(page, 'Mute the author')).toBeVisible()
  await field(page).fill('export')
  await expect(hit(page, 'Export as CSV')).toBeVisible()
  await field(page).fill('approve')
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t search' })).toBeVisible()
  await expect(hit(page, 'approve')).toBeVisible()
})

test('loads no palette code before it is opened', { tag: '@stress' }, async ({ page, desk }) => {
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await openQueue(page, desk)
  const atFirst = scripts.length
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  expect(scripts.length).toBeGreaterThan(atFirst)
})

test('every view in the navigation opens at each width from the menu of views, and from the palette', async ({
  page,
  desk,
}) => {
  await openQueue(page, desk)
  const links = page.getByRole('navigation', { name: 'Desk' }).getByRole('list').getByRole('link')
  await expect(links.filter({ hasText: desk.community.displayName })).toBeVisible()
  const names = (await links.allTextContents()).map((text) => text.replace(/[\d.,]+\+?$/, ''))
  expect(names.slice(0, 4)).toEqual(['Held', 'Mine', 'Reported', 'Escalated'])

  await page.keyboard.press('Control+k')
  for (const name of names) {
    await field(page).fill(name)
    await expect(hit(page, name)).toBeVisible()
  }
  await page.keyboard.press('Escape')
  for (const width of [1_024, 720, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await page.getByRole('button', { name: 'Views of the queue' }).click()
    const choices = page.getByRole('menuitemradio')
    await expect(choices.first()).toBeVisible()
    for (const name of names) await expect(choices.filter({ hasText: name }).first()).toBeAttached()
    await choices.filter({ hasText: 'Reported' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Reported' })).toBeAttached()
    await page.getByRole('button', { name: 'Views of the queue' }).click()
    await choices.filter({ hasText: desk.community.displayName }).click()
    await expect(page).toHaveURL(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  }
})

test('the palette has every shortcut of the key sheet, the most urgent items, the dark theme and signing out', async ({
  page,
  desk,
}) => {
  await openQueue(page, desk)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('definition').first()).toBeVisible()
  const acts = await sheet.getByRole('definition').allTextContents()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  const names = await page.getByRole('dialog').getByRole('option').allTextContents()
  const missing = acts.filter((act) => !names.some((name) => name.includes(act)))
  // What the item in front doesn't have isn't offered: a rejection that asks for its reason, others with its text, a hidden text.
  expect(missing).toEqual([
    'Choose a reason after rejecting',
    'Show items with the same text',
    'Show hidden text',
    'Search or run a command',
  ])
  for (const name of ['Most urgent first', 'Theme: Dark', 'Sign out']) await expect(hit(page, name)).toBeAttached()
})

const field = (page: Page) =>
  page.getByRole('dialog').getByRole('searchbox').or(page.getByRole('dialog').getByRole('textbox'))
const hit = (page: Page, name: string) => page.getByRole('dialog').getByRole('option', { name }).first()

async function authorOf(desk: Desk, index: number): Promise<{ userId: string }> {
  const { userId } = await desk.database.prisma.comment.findUniqueOrThrow({
    where: { commentId: desk.held[index]?.commentId ?? '' },
  })
  return { userId }
}

async function openQueue(page: Page, desk: Desk): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByRole('option').first()).toBeVisible()
}
