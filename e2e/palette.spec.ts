import type { Page } from '@playwright/test'
import { saveView } from '#server/modules/review/views/save-view.ts'
import { SaveViewInput } from '#server/modules/review/views/schema.ts'
import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { NewNamedQueue } from '#server/modules/rules/queues/schema.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
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

test('every view in the navigation opens from the palette, and from the menu of views at each width', {
  tag: '@scaled',
}, async ({ page, desk }) => {
  const { userId } = await desk.signIn(page, 'moderator')
  const own = await viewsOf(desk, userId)
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  const links = page.getByRole('navigation', { name: 'Desk' }).getByRole('list').getByRole('link')
  await expect(links.filter({ hasText: desk.community.displayName })).toBeVisible()
  const places = await Promise.all(
    (await links.all()).map(async (link) => ({
      name: (await link.locator(':scope > *').first().textContent()) ?? '',
      url: new URL((await link.getAttribute('href')) ?? '', desk.url).href,
    })),
  )
  const states = ['Held', 'Mine', 'Reported', 'Escalated']
  expect(places.map(({ name }) => name)).toEqual([...states, ...own, desk.community.displayName])

  for (const { name, url } of places) {
    // A community itself is found by its name too.
    const found = name === desk.community.displayName ? `Queue of ${name}` : name
    await page.keyboard.press('Control+k')
    await field(page).fill(found)
    await page
      .getByRole('dialog')
      .getByRole('option', { name: new RegExp(`^${found}`) })
      .first()
      .click()
    await expect(page).toHaveURL(url)
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const widths = [1_024, 720, 390]
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 700 })
    const choices = page.getByRole('menuitemradio')
    const opened = IS_STRESS ? places : places.filter((_, place) => place % widths.length === index)
    for (const { name, url } of opened) {
      await page.getByRole('button', { name: 'Views of the queue' }).click()
      await expect(choices.first()).toBeVisible()
      const names = await choices.allTextContents()
      expect(places.filter((place) => !names.some((text) => text.includes(place.name)))).toEqual([])
      await choices.filter({ hasText: name }).first().click()
      await expect(page).toHaveURL(url)
    }
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
  // What the item in front doesn't have isn't offered: a rejection that asks for its reason, others with its text, a hidden text; nor a
  // translation before the network has turned that on.
  expect(missing).toEqual([
    'Choose a reason after rejecting',
    'Show items with the same text',
    'Show hidden text',
    'Translate the text',
    'Search or run a command',
  ])
  for (const name of ['Most urgent first', 'Theme: Dark', 'Sign out']) await expect(hit(page, name)).toBeAttached()
})

/** The names of a named queue and a saved view of this person, as the navigation has them. */
async function viewsOf({ database, community: { communityId } }: Desk, userId: string): Promise<string[]> {
  const [queue, view] = ['Quay desk', 'Night shift'].map((name) => `${name} ${crypto.randomUUID().slice(0, 8)}`)
  const colleague = await factoriesOf(database).reviewerOf(communityId)
  await createNamedQueue(
    ctxOf(database, colleague),
    NewNamedQueue.parse({ communityId, name: queue, memberIds: [userId] }),
  )
  const filters = { communityId, order: 'oldest' }
  await saveView(ctxOf(database, asUser(userId)), SaveViewInput.parse({ name: view, filters }))
  return [queue ?? '', view ?? '']
}

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
