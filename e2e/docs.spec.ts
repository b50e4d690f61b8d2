import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { expectNoFindings, windows } from './axe.ts'
import { expect, test } from './fixtures.ts'

const QUEUE = 'get-api-v3-communities-communityid-comments-review-queue'

test('a developer reads the API docs and sends a request by keyboard', async ({ page, desk }) => {
  const { accessToken } = await createToken(systemCtx(desk.database), { lifetimeMs: 600_000 })
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(desk.url).origin) problems.push(request.url())
  })

  await page.goto(`${desk.url}/api/docs`)
  await page.getByLabel('Access token').fill(accessToken)
  const queue = page.locator(`#${QUEUE}`)
  await queue.locator('summary').focus()
  await page.keyboard.press('Enter')
  await queue.getByRole('textbox', { name: 'communityId' }).fill(desk.community.communityId)
  await queue.getByRole('textbox', { name: 'options[limit]' }).fill('2')
  await page.keyboard.press('Enter')

  await expect(queue.getByRole('status')).toContainText('200 OK')
  const answer = queue.getByRole('region', { name: 'Response' })
  for (const { commentId } of desk.held.slice(0, 2)) await expect(answer).toContainText(commentId)
  await expect(answer).not.toContainText(desk.held[2]?.commentId ?? '')
  expect(problems).toEqual([])
})

test('a link to a schema opens and shows that schema', { tag: '@stress' }, async ({ page, desk }) => {
  await page.goto(`${desk.url}/api/docs`)
  await page.locator(`#${QUEUE} > summary`).click()
  await page.locator(`#${QUEUE}`).getByRole('link', { name: 'ReviewQueue' }).click()
  await expect(page.locator('#shape-ReviewQueue').getByRole('rowheader', { name: 'comments' })).toBeInViewport()
})

for (const size of windows(1440)) {
  test(`the API docs have no axe findings at ${size.width} × ${size.height}`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(size)
    await page.goto(`${desk.url}/api/docs`)
    await page.locator(`#${QUEUE} > summary`).click()
    await expectNoFindings(page)
  })
}
