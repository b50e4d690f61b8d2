import type { Browser, Page } from '@playwright/test'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import type { StaffAccount } from '#server/testing/staff-account.ts'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

const asStaff = async ({ database }: Desk, { userId }: StaffAccount) => ({
  ...ctxOf(database, await actorOfStaff(database.pool, userId)),
  undoWindowMs: 0,
})

/** Waits until the person's statement is issued, and copies its link from their page, as the person of this page. */
async function linkOf(page: Page, desk: Desk, userId: string): Promise<string> {
  const issued = () => desk.database.prisma.statement.count({ where: { userId, issuedAt: { not: null } } })
  await expect.poll(issued, { message: 'waited until the statement is issued' }).toBe(1)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${desk.url}/users/${userId}`)
  await page.getByRole('button', { name: 'Copy the link of the statement' }).click()
  await expect(page.getByRole('status')).toHaveText('Link copied')
  const { pathname, search } = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  return `${desk.url}${pathname}${search}`
}

/** Opens the link as its recipient, who has no account. */
async function openLink(browser: Browser, link: string, over: object = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...over })
  const author = await context.newPage()
  await author.goto(link)
  return { author, context }
}

test('the author of a rejected comment appeals by the link; who rejected it can’t decide, a colleague reverses it with an answer', async ({
  page,
  desk,
  browser,
}) => {
  const [first] = desk.held
  if (first === undefined) throw new Error('a held comment')
  const { commentId, userId, authorName } = first
  const ana = await desk.signIn(page, 'moderator')
  await decide(await asStaff(desk, ana), { subjectType: 'comment', subjectId: commentId, outcome: 'rejected' })
  const link = await linkOf(page, desk, userId)

  const { author, context } = await openLink(browser, link)
  await author.getByRole('button', { name: 'Send the appeal' }).click()
  await expect(author.getByRole('textbox', { name: 'Why it is wrong' })).toBeFocused()
  await author.getByRole('textbox', { name: 'Why it is wrong' }).fill('I quoted the harbour master')
  await author.getByRole('button', { name: 'Send the appeal' }).click()
  const sheet = author.getByRole('article')
  await expect(sheet).toContainText('I quoted the harbour master')
  await expect(sheet).toContainText('It is not decided yet.')
  await expect(author.getByRole('textbox')).toHaveCount(0)

  await page.goto(`${desk.url}/appeals`)
  const card = (of: Page) => of.getByRole('listitem', { name: `Appeal of ${authorName}` })
  await expect(card(page)).toContainText('The first decision was yours')
  await expect(card(page).getByRole('button', { name: 'Reverse' })).toHaveCount(0)

  const colleague = await browser.newContext()
  const ben = await colleague.newPage()
  await desk.signIn(ben, 'moderator')
  await ben.goto(`${desk.url}/appeals`)
  await expect(ben.getByRole('link', { name: /Appeals/ })).toContainText('1')
  await expect(card(ben)).toContainText('I quoted the harbour master')
  await expect(card(ben)).toContainText(first.text)
  await expect(card(ben)).not.toContainText(ana.name)
  await expectNoFindings(ben)
  await ben.keyboard.press('j')
  await expect(card(ben)).toBeFocused()
  await ben.keyboard.press('a')
  const dialog = ben.getByRole('dialog', { name: 'Reverse the decision?' })
  await expect(dialog).toContainText('The comment is published, reports of it stay closed')
  await dialog.getByRole('textbox').fill('You are right, and we are sorry.')
  await ben.keyboard.press('Control+Enter')
  await expect(ben.getByRole('status')).toHaveText(`Reversed. ${authorName} can read the answer.`)
  await expect(card(ben)).toHaveCount(0)
  expect(await desk.stateOf(commentId)).toBe('approved')
  await ben.getByRole('link', { name: 'Decided' }).click()
  await expect(card(ben)).toContainText(`The first decision was by ${ana.name}.`)
  await expectNoFindings(ben)
  await colleague.close()

  await author.reload()
  await expect(sheet).toContainText('This was reversed and no longer counts.')
  await expect(sheet).toContainText('You are right, and we are sorry.')
  await expect(sheet).not.toContainText(ana.name)
  await context.close()
  await page.goto(`${desk.url}/users/${userId}`)
  await expect(page.getByRole('region', { name: 'Statements of reasons' })).toContainText('appealed, reversed')
})

test('someone whom the only moderator of a community banned appeals in Arabic on a phone, and the network’s moderators lift the ban', {
  tag: '@stress',
}, async ({ page, desk, browser }) => {
  const { userId = '', authorName = '' } = desk.held[1] ?? {}
  const { communityId } = desk.community
  const only = await desk.account('moderator')
  await banPerson(await asStaff(desk, only), { userId, space: { scope: 'community', communityId }, minutes: null })
  await desk.signIn(page, 'admin')
  const link = await linkOf(page, desk, userId)
  const { author, context } = await openLink(browser, link, { locale: 'ar', viewport: { width: 320, height: 640 } })
  await author.getByRole('textbox').fill('لم أكتب شيئًا')
  expect(await author.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectNoFindings(author)
  await author.getByRole('button', { name: 'إرسال الاعتراض' }).click()
  await expect(author.getByRole('article')).toContainText('لم يُحسم بعد')

  await page.goto(`${desk.url}/appeals`)
  const card = page.getByRole('listitem', { name: `Appeal of ${authorName}` })
  await card.getByRole('button', { name: /^Reverse/ }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('نعتذر')
  await page.getByRole('button', { name: /^Reverse the decision/ }).click()
  await expect(page.getByRole('status')).toHaveText(`Reversed. ${authorName} can read the answer.`)
  expect(await desk.database.prisma.ban.count({ where: { userId, liftedAt: null } })).toBe(0)
  await author.reload()
  await expect(author.getByRole('article')).toContainText('أُلغي القرار.')
  await context.close()
})
