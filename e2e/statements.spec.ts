import type { Page } from '@playwright/test'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

/** Rejects the first comment for a reason whose policy is new; once it is issued, returns its author and the policy's title. */
async function stated({ database, community: { communityId }, held: [first] }: Desk) {
  const { prisma } = database
  // Archived, so that no dialog of another test asks for it.
  const { policyId } = await prisma.policy.create({
    data: { isArchived: true, createdAt: new Date(), updatedAt: new Date() },
  })
  const texts = {
    en: { title: `Insults ${policyId}`, text: 'Write to others as you would speak to them.' },
    ar: { title: `الإهانات ${policyId}`, text: 'خاطب الآخرين باحترام.' },
  }
  const version = {
    policyId,
    version: 1,
    ground: 'terms',
    weight: 1,
    category: 'OTHER_VIOLATION_TC',
    reportReasons: [],
  }
  await prisma.policyVersion.create({ data: { ...version, texts, createdBy: 'someone', createdAt: new Date() } })
  const { reasonId } = await prisma.rejectionReason.create({
    data: {
      label: `Insult ${policyId}`,
      textToAuthor: 'Please leave the person out of it.',
      policyId,
      position: 2_000,
    },
  })
  const reviewer = await factoriesOf(database).reviewerOf(communityId)
  const { commentId: subjectId = '', userId = '' } = first ?? {}
  await decide(
    { ...ctxOf(database, reviewer), undoWindowMs: 0 },
    { subjectType: 'comment', subjectId, outcome: 'rejected', reasonId },
  )
  await expect
    .poll(() => prisma.statement.count({ where: { userId, issuedAt: { not: null } } }), {
      message: 'waited until the statement is issued',
    })
    .toBe(1)
  return { userId, titles: { en: texts.en.title, ar: texts.ar.title } }
}

/** The address that the button on the person's page copies. */
async function copiedLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the link of the statement' }).click()
  await expect(page.getByRole('status')).toHaveText('Link copied')
  return page.evaluate(() => navigator.clipboard.readText())
}

test('the author of a rejected comment reads by its link, without an account, what was done and for which rule', async ({
  page,
  desk,
  browser,
}) => {
  const { userId, titles } = await stated(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  const list = page.getByRole('region', { name: 'Statements of reasons' })
  await expect(list).toContainText(`Rejected in ${desk.community.displayName}`)
  await expect(list).toContainText(titles.en)
  await expect(page.getByRole('main')).toContainText('1 strike in 90 days')
  const { pathname, search } = new URL(await copiedLink(page))

  const open = async (locale: string, over: object = {}) => {
    const context = await browser.newContext({ locale, ...over })
    const author = await context.newPage()
    return { author, context, answer: await author.goto(`${desk.url}${pathname}${search}`) }
  }
  const { author, context, answer } = await open('en-GB')
  expect(answer?.headers()).toMatchObject({ 'cache-control': expect.stringContaining('no-store') })
  // Also without scripts.
  expect(await answer?.text()).toContain('Your comment was not published')
  await expect(author.getByRole('heading', { level: 1 })).toHaveText('Your comment was not published')
  const sheet = author.getByRole('article')
  for (const words of [titles.en, 'as you would speak', 'Please leave the person out of it.', desk.held[0]?.text ?? ''])
    await expect(sheet).toContainText(words)
  await expect(sheet).toContainText('A person decided.')
  await expect(sheet).not.toContainText(userId)
  await author.goto(`${desk.url}${pathname}${search.slice(0, -3)}`)
  await expect(author.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work')
  await context.close()

  const phone = await open('ar', { viewport: { width: 320, height: 640 } })
  await expect(phone.author.getByRole('heading', { level: 1 })).toHaveText('لم يُنشر تعليقك')
  await expect(phone.author.getByRole('article')).toContainText(titles.ar)
  expect(await phone.author.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectNoFindings(phone.author)
  await phone.context.close()
})
