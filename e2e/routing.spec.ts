import { expectNoFindings } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { listenForPointer, pointerEventsOf } from './pointer-events.ts'

test('a manager makes a queue and sends a rule to it with the keyboard alone, and it is first among their views', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId } = desk.community
  await listenForPointer(page)
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules?communityId=${communityId}`)
  await page.getByRole('button', { name: 'New queue' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('Boats')
  await page.getByRole('searchbox', { name: 'Find people by name' }).press('Enter')
  await page.getByRole('checkbox', { name }).press('Space')
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Save queue' }).press('Enter')
  const queues = page.getByRole('list', { name: 'Queues' })
  await expect(queues).toContainText(`Boats${name} · no rules`)

  await page.getByRole('button', { name: 'New rule' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('Boats for sale')
  const queue = page.getByRole('group', { name: 'Queue' }).getByRole('button')
  await expect(queue).toHaveText('No queue')
  await queue.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Boats' }).press('Enter')
  await expect(queue).toHaveText('Boats')

  await page.goto(`${desk.url}/queue`)
  const links = page.getByRole('navigation').getByRole('link', { name: 'Boats' })
  await links.press('Enter')
  await expect(page.getByRole('search')).toContainText('Your queue Boats')
  await expect(page.getByRole('search')).toContainText('in the queue Boats')
  await expect(page).toHaveURL(/queueId=/)
  await expect(page.getByRole('heading', { name: 'No matches in 8 items' })).toBeVisible()
  expect(await pointerEventsOf(page)).toEqual([])

  await page.goto(`${desk.url}/settings/rules?communityId=${communityId}`)
  await page.getByRole('button', { name: 'Delete Boats' }).press('Enter')
  await page.getByRole('button', { name: 'Delete queue' }).press('Enter')
  await expect(queues).toBeHidden()
})
