import type { Locator, Page, Route } from '@playwright/test'
import { type Desk, expect } from './fixtures.ts'

/** The address of the queue of this desk’s community. */
export const queueOf = (desk: Desk, more = '') => `${desk.url}/queue?communityId=${desk.community.communityId}${more}`

/** Signs in a new moderator, and opens the queue. */
export async function openQueue(page: Page, desk: Desk, more = ''): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk, more))
  await expect(page.getByRole('heading', { level: 1, name: 'Held' })).toBeVisible()
}

export const textOf = (desk: Desk, index: number) => desk.held[index]?.text ?? ''
export const idOf = (desk: Desk, index: number) => desk.held[index]?.commentId ?? ''
export const row = (page: Page, desk: Desk, index: number) => page.getByRole('option', { name: textOf(desk, index) })

export function statesOf(desk: Desk, ...indexes: number[]): Promise<(string | null)[]> {
  return Promise.all(indexes.map((index) => desk.stateOf(idOf(desk, index))))
}

/** Signs in a new person who moderates this channel. */
export async function moderatorOf(
  page: Page,
  desk: Desk,
  channelId: string,
): Promise<{ userId: string; name: string }> {
  const { email, name } = await desk.signIn(page, 'moderator')
  const { prisma } = desk.database
  const { networkUserId } = await prisma.staffAccount.findFirstOrThrow({ where: { email } })
  const userId = networkUserId ?? ''
  await prisma.channelUser.create({
    data: { channelId, userId, membership: 'member', roles: ['channel-moderator'] },
  })
  await prisma.tallyDelta.create({ data: { kind: 'channel_members', subjectId: channelId, delta: 1 } })
  return { userId, name }
}

/** Selects a row of a table. The selection is in the URL, which updates with a delay. */
export function chooseRow(row: Locator): Promise<void> {
  return tick(row.getByRole('checkbox'))
}

/** Ticks a checkbox: React keeps showing the old value until the page has applied the change, which `check` takes for a failure. */
export async function tick(box: Locator): Promise<void> {
  if (!(await box.isChecked())) await box.click()
  await expect(box).toBeChecked()
}

/** The page's requests for this query, also where it travels together with others of the same moment. */
export const queriesOf = (procedure: string): RegExp => new RegExp(`/api/trpc/([^?]+,)?${RegExp.escape(procedure)}[,?]`)

/** Holds the page's requests to these addresses until the returned function is called; then `meet` handles them. */
export async function hold(
  page: Page,
  addresses: string | RegExp,
  meet: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await released.promise
    await meet(route)
  })
  return released.resolve
}

/** The server's response when something may not be read. */
export const refuse = (route: Route): Promise<void> => route.fulfill({ status: 403, body: '{}' })

/** Opens the wave of the item in front, once its card is shown. */
export async function openWave(page: Page): Promise<Locator> {
  await expect(page.getByRole('region', { name: 'Wave' })).toBeVisible()
  return openWaveByKey(page)
}

/** Without waiting for its card, which is in a drawer in low windows. */
export async function openWaveByKey(page: Page): Promise<Locator> {
  await page.keyboard.press('w')
  const wave = page.getByRole('dialog')
  await expect(wave.getByRole('checkbox').first()).toBeVisible()
  return wave
}

/** Moves the second row of a list that is being ordered to its top, by keyboard. */
export async function moveToTop(page: Page, name: string): Promise<void> {
  const handle = page.getByRole('button', { name: `Move ${name}` })
  await expect(handle).toBeVisible()
  await page.getByRole('row', { name }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(handle).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Started dragging')).toBeAttached()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'New order saved.' })).toBeAttached()
}

/** Has the community of the desk publish new comments without review. */
export async function publishNewComments({ database, community: { communityId } }: Desk): Promise<void> {
  await database.prisma.community.update({ where: { communityId }, data: { needApprovalOnCommentCreation: false } })
}
