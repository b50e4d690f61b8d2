import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'
import { listenForPointer, pointerEventsOf } from './pointer-events.ts'
import { expectRows, score } from './scored-rows.ts'

test('the most urgent come first by keyboard alone, say why, and stay in place while somebody flags them', async ({
  page,
  desk,
}) => {
  const [first, second] = desk.held
  const last = desk.held.at(-1)
  await holdTogether(desk, first?.commentId ?? '', second?.commentId ?? '')
  await score(desk, first?.commentId ?? '', 0.93)
  await listenForPointer(page)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await page.getByRole('button', { name: 'Newest held first' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'Newest held first' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/order=urgent/)
  await expectRows(page, [first?.text, last?.text])

  const why = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Why first' }) })
  await expect(page.getByRole('article')).toContainText(first?.text ?? '')
  await expect(why).toContainText('Worth 4 h or more: before all that only waits, the newest day first.')
  await expect(why).toContainText('Signal toxicity 0.93+6 h 53')
  await expect(why).toContainText('Total+6 h 53')
  await expectNoFindings(page)

  for (let count = 0; count < 8; count += 1) await flagElsewhere(desk, second?.commentId ?? '')
  await expect(page.getByRole('option').last()).toContainText(second?.text ?? '')
  await expectRows(page, [first?.text, last?.text])
  await page.reload()
  await expectRows(page, [second?.text, first?.text, last?.text])
  await expect(why).toContainText('8 flags+8 h 00')
  expect(await pointerEventsOf(page)).toEqual([])
})

test('the open item shows a reason that a late score adds, and a flag, at once and in place', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId } = desk.community
  const [, second] = desk.held
  const ctx = ctxOf(desk.database, await factoriesOf(desk.database).reviewerOf(communityId))
  const condition = { kind: 'signal', name: 'toxicity', atLeast: 0.8 }
  const rule = await createRule(ctx, NewRule.parse({ communityId, name: 'Toxic words', kinds: ['comment'], condition }))
  await setRuleState(ctx, { ...rule, state: 'live' })
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${communityId}&order=urgent`)
  await expectRows(page, [desk.held.at(-1)?.text])
  await page
    .getByRole('option')
    .filter({ hasText: second?.text ?? '' })
    .click()
  const rows = await page.getByRole('option').allTextContents()
  const article = page.getByRole('article')
  await expect(article).toContainText(second?.text ?? '')
  await expect(article).not.toContainText('Toxic words')

  await score(desk, second?.commentId ?? '', 0.93)
  await expect(article).toContainText('Toxic words')
  const why = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Why first' }) })
  await expect(why).toContainText('Toxic words')
  await flagElsewhere(desk, second?.commentId ?? '')
  await expect(why).toContainText('1 flag')

  await expect(page.getByRole('option').filter({ hasText: second?.text ?? '' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  const textOf = (row: string) => desk.held.find(({ text }) => row.includes(text))?.text
  expect((await page.getByRole('option').allTextContents()).map(textOf)).toEqual(rows.map(textOf))
})

/** Holds the second item when the first was held: of severe items, those of a newer day come first, and after midnight that is by chance. */
async function holdTogether({ database: { prisma } }: Desk, commentId: string, otherId: string): Promise<void> {
  const { queuedAt } = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
  await prisma.comment.update({ where: { commentId: otherId }, data: { queuedAt } })
}

async function flagElsewhere({ database, community }: Desk, commentId: string): Promise<void> {
  const reviewer = await factoriesOf(database).reviewerOf(community.communityId)
  await flag(ctxOf(database, reviewer), flaggableComment, { id: commentId, flag: { reason: 'Spam or scams' } })
}
