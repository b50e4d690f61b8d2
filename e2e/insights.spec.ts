import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { expectNoFindings, windows } from './axe.ts'
import { queriesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a moderator reads the figures of their community and opens the items waiting longest', async ({ page, desk }) => {
  await decideSome(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/insights`)
  const main = page.getByRole('main')
  await expect(main.getByText('Waiting now', { exact: true }).locator('..')).toContainText('6')
  await expect(main.getByText('Decided', { exact: true }).first().locator('..')).toContainText('2')
  const ages = page.getByRole('region', { name: 'Waiting now, by age' })
  await expect(ages.getByRole('link', { name: '4 to 24 h' })).toContainText('3')
  // They may not read the log, so the figure of decisions has no link.
  await expect(main.getByRole('link', { name: '2', exact: true })).toHaveCount(0)

  await ages.getByRole('link', { name: '4 to 24 h' }).press('Enter')
  await expect(page).toHaveURL(/queue\?.*heldForMinutes=240.*heldUnderMinutes=1440/)
  await expect(page.getByRole('option')).toHaveCount(3)
})

test('an admin follows a figure to exactly the actions it counts', { tag: '@stress' }, async ({ page, desk }) => {
  await decideSome(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/insights?communityId=${desk.community.communityId}`)
  const row = page.getByRole('region', { name: 'By community' }).getByRole('row', { name: desk.community.displayName })
  await row.getByRole('link', { name: '2' }).press('Enter')
  await expect(page).toHaveURL(/audit\?.*action=decided/)
  await expect(page.getByRole('row')).toHaveCount(3)
})

test('charts are available as tables by keyboard', { tag: '@stress' }, async ({ page, desk }) => {
  await decideSome(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/insights?communityId=${desk.community.communityId}`)
  const part = page.getByRole('region', { name: 'Held and decided per day' })
  await expect(part.getByRole('img', { name: /Held and decided per day: 9 held and 2 decided/ })).toBeVisible()
  await part.getByText('Show as table').focus()
  await page.keyboard.press('Enter')
  const table = part.getByRole('table', { name: 'Held and decided per day' })
  await expect(table.getByRole('row')).toHaveCount(29)
  const decided = await table.getByRole('row').locator('td:last-child').allTextContents()
  expect(decided.reduce((sum, count) => sum + Number(count), 0)).toBe(2)
})

test('other days and another community are chosen in the sentence and kept in the address', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/insights`)
  await page.getByRole('button', { name: 'Community: all communities' }).press('Enter')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(desk.community.displayName)
  await page.getByRole('option', { name: desk.community.displayName }).click()
  await expect(page).toHaveURL(/communityId=/)
  await page.getByRole('button', { name: /^Days: / }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/startDate=.*endDate=.*timeZone=/)
  await expect(page.getByRole('region', { name: 'By community' })).toContainText(desk.community.displayName)
})

test('shows a message when nothing was held and when loading fails', { tag: '@stress' }, async ({ page, desk }) => {
  const { communityId } = await desk.database.prisma.community.create({
    data: { communityId: crypto.randomUUID(), displayName: 'Quiet' },
  })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/insights?communityId=${communityId}`)
  await expect(page.getByRole('heading', { name: 'Nothing held or waiting in this period' })).toBeVisible()
  await expectNoFindings(page)
  await page.route(queriesOf('insights.read'), (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Remove community filter' }).click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectNoFindings(page)
  await page.unroute(queriesOf('insights.read'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Waiting now', { exact: true })).toBeVisible()
})

test('an admin sets a service target and how long claims last, and navigation and queue show when the target is missed', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/targets`)
  const targets = page.getByRole('region', { name: 'Set a target' })
  await chooseCommunity(targets)
  await page.getByRole('spinbutton', { name: 'minutes at most' }).fill('50')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: desk.community.displayName })).toContainText('50% within 50 min')

  const claims = page.getByRole('region', { name: 'Claim duration' })
  await chooseCommunity(claims)
  await claims.getByRole('spinbutton', { name: 'hours' }).fill('2')
  await page.keyboard.press('Enter')
  await expect(claims.getByRole('row', { name: desk.community.displayName })).toContainText('2 h')
  await expectNoFindings(page)

  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  const link = page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: desk.community.displayName })
  await expect(link.getByRole('img', { name: /Service target missed/ })).toBeVisible()
  await expect(page.getByText('service target 50 min', { exact: true })).toBeVisible()
  await expect(page.getByText('7 overdue', { exact: true })).toBeVisible()
  await expectNoFindings(page)

  await page.goto(`${desk.url}/settings/targets`)
  await page.getByRole('button', { name: `Remove the target of ${desk.community.displayName}` }).click()
  await page.getByRole('button', { name: `Remove the claim duration of ${desk.community.displayName}` }).click()
  await expect(page.getByRole('row', { name: desk.community.displayName })).toHaveCount(0)

  async function chooseCommunity(section: Locator): Promise<void> {
    await section.getByRole('button', { name: 'Community: Choose a community' }).press('Enter')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type(desk.community.displayName)
    await page.getByRole('option', { name: desk.community.displayName }).click()
  }
})

test('a community with a classifier sees how often items of each score were rejected', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await scoreSome(desk)
  await decideSome(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/insights`)
  const scores = page.getByRole('region', { name: 'Scores and decisions' })
  await expect(page.getByRole('region', { name: 'By person' })).toBeVisible()
  await expect(scores).toBeHidden()
  await page.goto(`${desk.url}/insights?communityId=${desk.community.communityId}`)
  await expect(scores).toContainText('among 2 decisions of this period')
  await expect(scores.getByRole('table', { name: 'toxicity' }).getByRole('row')).toHaveText([
    /Score/,
    /0\.1 to 0\.2\s*1\s*0%\s*0% to 79%/,
    /0\.9 to 1\.0\s*1\s*100%\s*21% to 100%/,
  ])
})

for (const size of windows(1440)) {
  test(`insights have no axe findings at ${size.width} × ${size.height}`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await scoreSome(desk)
    await decideSome(desk)
    await page.setViewportSize(size)
    await desk.signIn(page, 'admin')
    await page.goto(`${desk.url}/insights?communityId=${desk.community.communityId}`)
    await expect(page.getByRole('img', { name: /Time to decision per day/ })).toBeVisible()
    await page.getByText('Show as table').first().click()
    await expect(page.getByRole('table', { name: 'toxicity' })).toBeVisible()
    await expectNoFindings(page)
  })
}

test('of many communities the busiest are shown, and the others on request', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await holdElsewhere(desk, 25)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/insights`)
  const part = page.getByRole('region', { name: 'By community' })
  await expect(part.getByRole('row')).toHaveCount(21)
  await part.getByRole('button', { name: /^Show \d+ more$/ }).press('Enter')
  await expect(part.getByRole('row').nth(25)).toBeVisible()
  await part.getByRole('button', { name: 'Show the first 20' }).press('Enter')
  await expect(part.getByRole('row')).toHaveCount(21)
})

/** One waiting item in each of so many other communities. */
async function holdElsewhere({ database }: Desk, communities: number): Promise<void> {
  const ids = Array.from({ length: communities }, () => randomUUID())
  await database.prisma.community.createMany({
    data: ids.map((communityId) => ({ communityId, displayName: communityId })),
  })
  await database.prisma.tallyDelta.createMany({
    data: ids.map((subjectId) => ({ kind: 'held_comments' as const, subjectId, delta: 1 })),
  })
}

/** Decides two of the eight comments. */
async function decideSome(desk: Desk): Promise<void> {
  const [first, second] = desk.held
  if (!first || !second) throw new Error('a desk has eight held comments')
  await desk.decideElsewhere(first.commentId, 'approved')
  await desk.decideElsewhere(second.commentId, 'rejected')
}

/** Gives the two a low and a high score. */
async function scoreSome({ database, held }: Desk): Promise<void> {
  const now = new Date()
  await database.prisma.signal.createMany({
    data: [0.15, 0.95].map((score, index) => ({
      subjectType: 'comment' as const,
      subjectId: held[index]?.commentId ?? '',
      name: 'toxicity',
      score,
      measuredAt: now,
      receivedAt: now,
    })),
  })
}
