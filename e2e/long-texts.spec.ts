import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { expect, test } from './fixtures.ts'
import { holdRequests } from './hold-requests.ts'

const LONG = `${'The ferry runs again. '.repeat(90)}${'\n'.repeat(5_000)}The end.`

test('a long text has its beginning in the list, is drawn in parts, and is decided once all of it is loaded', async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const { communityId } = desk.community
  const oldest = new Date('2020-01-01T00:00:00Z')
  const { commentId } = await factoriesOf(desk.database).heldComment({
    communityId,
    data: { text: LONG },
    queuedAt: oldest,
  })
  await page.goto(`/queue?community=${communityId}`)
  const row = page.getByRole('option').last()
  await expect(row).toContainText('The ferry runs again.')
  expect((await row.textContent())?.length).toBeLessThan(500)

  const letGo = await holdRequests(page, /review\.(item|look)/)
  await row.click()
  const article = page.getByRole('article')
  await expect(article).toContainText('Loading the rest of the text…')
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: 'Last action' })).toContainText(
    'Only the beginning of the text has loaded',
  )
  expect(await desk.stateOf(commentId)).toBe('pending')

  letGo()
  await expect(article).not.toContainText('Loading the rest of the text…')
  await expect(article).not.toContainText('The end.')
  await article.getByRole('button', { name: 'Show full text' }).click()
  await expect(article).toContainText('The end.')
  await page.keyboard.press('a')
  await expect.poll(() => desk.stateOf(commentId), { message: 'waited until it is approved' }).toBe('approved')
})

test('of a long post the beginning is loaded with a comment on it, and the rest on request; once it is deleted, nothing is left to decide', async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const { communityId } = desk.community
  const make = factoriesOf(desk.database)
  const { postId, postedUserId } = await make.post({
    communityId,
    data: { title: 'Tides', text: `${'The tide turns. '.repeat(200)}The last words.` },
  })
  const { commentId } = await make.heldComment({ communityId, referenceId: postId, data: { text: 'So it goes' } })
  await page.goto(`/queue?community=${communityId}&post=${postId}`)
  const article = page.getByRole('article')
  await expect(article).toContainText('The tide turns.')
  await expect(article).not.toContainText('The last words.')
  await article.getByRole('button', { name: 'Show full text' }).click()
  await expect(article).toContainText('The last words.')

  await deletePost(ctxOf(desk.database, asUser(postedUserId)), { postId, permanent: false })
  await page.keyboard.press('a')
  await expect(page.getByRole('main')).toContainText('has changed since you read it, or was deleted')
  await page.goto(`/queue?item=comment:${commentId}`)
  await expect(page.getByText('There is nothing to decide any more')).toBeVisible()
})
