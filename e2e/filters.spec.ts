import { readFile } from 'node:fs/promises'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { hold, openQueue } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'

test.describe('filtering the queue', () => {
  test('slash searches text, highlights matches in list and item, and the link keeps the search', async ({
    page,
    desk,
    browser,
  }) => {
    await openQueue(page, desk)
    await page.keyboard.press('/')
    const field = page.getByRole('searchbox', { name: 'Text contains' })
    await expect(field).toBeFocused()
    await field.pressSequentially('THIRD comment')
    await page.keyboard.press('Enter')

    await expect(page.getByRole('option')).toHaveCount(1)
    await expect(page.getByRole('option').locator('mark')).toHaveText('third comment')
    await expect(page.getByRole('article').locator('mark')).toHaveText('third comment')
    await expect(page.getByRole('search')).toContainText('1 of 8 held in')
    await expect(page.getByRole('search')).toContainText('containing “THIRD comment”')

    await page.reload()
    await expect(page.getByRole('option').locator('mark')).toHaveText('third comment')

    const colleague = await (await browser.newContext()).newPage()
    await desk.signIn(colleague, 'moderator')
    await colleague.goto(page.url())
    await expect(colleague.getByRole('option')).toHaveCount(1)
    await expect(colleague.getByRole('search')).toContainText('containing “THIRD comment”')
    await colleague.context().close()
  })

  test('keys typed while the search opens decide nothing', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    const release = await hold(page, '**/_next/static/chunks/**')
    await page.keyboard.press('/')
    await page.keyboard.type('arar')
    release()

    await expect(page.getByRole('searchbox', { name: 'Text contains' })).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(8)
    expect(await desk.stateOf(desk.held[0]?.commentId ?? '')).toBe('pending')
  })

  test('f opens the filters, and each filter appears in the sentence and can be removed', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const filters = page.getByRole('search')
    const add = async (name: string) => {
      await page.keyboard.press('f')
      await page.getByRole('menuitem', { name }).press('Enter')
    }

    await add('Author')
    await page.getByRole('searchbox', { name: 'Find an author' }).pressSequentially('author seco')
    await page.getByRole('dialog', { name: 'Author' }).getByRole('option', { name: 'Author second' }).first().click()
    await expect(filters).toContainText('by Author second')
    await expect(page).toHaveURL(/authorId=/)
    await page.getByRole('button', { name: 'Remove Author second' }).click()
    await expect(page).not.toHaveURL(/authorId/)

    await add('Held longer than')
    await page.getByRole('menuitemradio', { name: '4 hours' }).click()
    await expect(filters).toContainText('held longer than 4 hours')
    await expect(page.getByRole('option')).toHaveCount(3)

    await add('Comments or posts')
    await page.getByRole('menuitemradio', { name: 'only posts' }).click()
    await expect(page.getByRole('heading', { name: 'No matches in 8 items' })).toBeVisible()
    await expect(page.getByText('Remove only posts to see all 3.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove only posts' }).last().click()
    await expect(page.getByRole('option')).toHaveCount(3)

    await add('Flagged')
    await expect(page).toHaveURL(/isFlagged=true/)
    await add('With image or video')
    await expect(page).toHaveURL(/hasMedia=true/)
    await expect(filters).toContainText('with image or video')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(`${desk.url}/queue`)
  })

  test('days can be typed, chosen from presets or the calendar, in the current time zone', async ({ page, desk }) => {
    await openQueue(page, desk, '&timeZone=Asia/Kathmandu')
    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: 'Written between' }).click()
    await page.getByRole('group', { name: 'From' }).getByRole('spinbutton').first().click()
    await page.keyboard.type('08032026')
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(page.getByRole('search')).toContainText('written from 8 Mar 2026 in Asia/Kathmandu')
    await expect(page.getByRole('search')).toContainText('(from 7 Mar 18:15 UTC)')

    await page.getByRole('button', { name: '8 Mar 2026', exact: true }).click()
    await page.getByRole('button', { name: 'This month' }).click()
    await expect(page).toHaveURL(/timeZone=Asia\/Kathmandu&startDate=\d{4}-\d\d-01&endDate=\d{4}-\d\d-\d\d/)

    await page.keyboard.press('d')
    await expect(page.getByRole('button', { name: 'Yesterday' })).toBeVisible()
    await page.keyboard.press('1')
    await expect(page).toHaveURL(/startDate=(\d{4}-\d\d-\d\d)&endDate=\1/)
  })

  test('one tab stop leads from the presets to the first day', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('d')
    const from = page.getByRole('group', { name: 'From' }).getByRole('spinbutton').first()
    await expect(from).toBeVisible()
    await expect(page.getByRole('button', { name: 'Today', exact: true })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(from).toBeFocused()
  })

  test('a community is found by name, and the filter can be cleared again', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.getByRole('search').getByRole('button', { name: desk.community.displayName, exact: true }).click()
    await page.getByRole('searchbox', { name: 'Find a community' }).pressSequentially('all my')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).not.toHaveURL(/communityId/)
    await expect(page.getByRole('search')).toContainText('all my communities')
  })

  test('exports what the filters show as CSV and records the export', { tag: '@stress' }, async ({ page, desk }) => {
    const { communityId } = desk.community
    await openQueue(page, desk, '&text=third')
    await expect(page.getByRole('option')).toHaveCount(1)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('queue.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(desk.held[2]?.text)
    expect(await desk.database.prisma.audit.count({ where: { communityId, action: 'queue.exported' } })).toBe(1)
  })

  test('cancelling a choice returns focus', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    const add = page.getByRole('button', { name: 'Filter', exact: true })
    await add.click()
    await expect(page.getByRole('menu', { name: 'Add a filter' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(add).toBeFocused()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 700 }, hasTouch: true })

  test('filters are shown as one sentence and chosen in a sheet', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk, '&text=third&heldForMinutes=60')
    await expect(page.getByRole('search')).toContainText('containing “third” held longer than 1 hour')
    await page.getByRole('button', { name: '3 filters' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await sheet.getByRole('button', { name: 'Remove “third”' }).tap()
    await expect(page).not.toHaveURL(/text=/)
    await sheet.getByRole('button', { name: 'Filter', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Flagged' }).tap()
    await expect(page).toHaveURL(/isFlagged=true/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

test('escalated items have their own view and count', { tag: '@stress' }, async ({ page, desk }) => {
  const { commentId: subjectId } = desk.held[2] ?? { commentId: '' }
  await factoriesOf(desk.database).escalated(
    { subjectType: 'comment', subjectId },
    { escalationNote: 'Who knows this place?', escalatedBy: 'mina', escalatedByName: 'Mina' },
  )
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue`)
  const nav = page.getByRole('navigation')
  await expect(nav.getByRole('link', { name: 'Held' })).toContainText('7')
  await expect(page.getByRole('option')).toHaveCount(7)
  await nav.getByRole('link', { name: 'Escalated' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Escalated' })).toBeVisible()
  await expect(page.getByRole('search')).toContainText('1 escalated in')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option')).toContainText(desk.held[2]?.text ?? '')
})

test('filters and their popovers have no axe findings', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk, '&text=comment&startDate=2026-01-01&timeZone=UTC&heldForMinutes=60')
  await expectNoFindings(page)
  for (const choice of ['Text contains', 'Community', 'Comments or posts', 'Author', 'Held longer than']) {
    await page.keyboard.press('f')
    await expect(page.getByRole('menu', { name: 'Add a filter' })).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('menuitem', { name: choice }).click()
    await expect(page.getByRole('dialog', { name: choice })).toBeVisible()
    await expectNoFindings(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await expectNoFindings(page)
  await page.keyboard.type('A view of its own')
  await page.keyboard.press('Enter')
  await page.getByRole('search').getByRole('button', { name: 'A view of its own', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await expectNoFindings(page)
})
