import type { Page } from '@playwright/test'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings, windows } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

const REASON = { reason: 'Spam or scams', detail: 'sells watches' }

test('a reported message is dismissed by keyboard and the decision undone', async ({ page, desk }) => {
  const { message } = await reportedThings(page, desk)
  await page.goto(`${desk.url}/queue`)
  await page.getByRole('link', { name: 'Reported 3' }).click()
  await expect(row(page, message)).toContainText('Message, Quay chat')
  await page.getByRole('listbox').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(row(page, message)).toBeFocused()
  const context = page.getByRole('complementary', { name: 'Context' })
  await expect(context).toContainText('sells watches')
  await expect(context).toContainText('Somebody who flags')
  await expect(page.getByRole('article', { name: 'Message from Teller' })).toContainText('wrote earlier')

  await page.keyboard.press('a')
  await expect(page.getByRole('status')).toHaveText('Dismissed: Teller. You can undo for 10 seconds.')
  await expect(row(page, message)).toHaveCount(0)
  await expect.poll(() => flagCountOf(desk, message), { message: 'waited until the report is dismissed' }).toBe(0)
  await expect(page.getByRole('link', { name: 'Reported 2' })).toBeVisible()

  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone: Teller')
  await expect(row(page, message)).toBeFocused()
  await expect.poll(() => flagCountOf(desk, message), { message: 'waited until it is reported again' }).toBe(1)
  await expect(page.getByRole('link', { name: 'Reported 3' })).toBeVisible()
})

test('a reported comment that its author deletes stays, says so, and can only be dismissed', async ({ page, desk }) => {
  const { comment } = await reportedThings(page, desk)
  await page.goto(urlOf(desk, comment))
  await expect(page.getByRole('heading', { name: 'Comment by Talker' })).toBeAttached()
  const { userId } = await desk.database.prisma.comment.findUniqueOrThrow({ where: { commentId: comment.subjectId } })
  await deleteComment(ctxOf(desk.database, asUser(userId)), { commentId: comment.subjectId, permanent: false })
  await expect(page.getByText('The author has deleted this.')).toBeVisible()
  await expect(row(page, comment)).toContainText('deleted')
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)

  await page.keyboard.press('a')
  await expect.poll(() => flagCountOf(desk, comment), { message: 'waited until the report is dismissed' }).toBe(0)
})

test('a reported comment is deleted with its reason, and a post dismissed, by keyboard', async ({ page, desk }) => {
  const { comment, post } = await reportedThings(page, desk)
  await page.goto(urlOf(desk, comment))
  await expect(page.getByRole('heading', { name: 'Comment by Talker' })).toBeAttached()
  await page.keyboard.press('r')
  await page.keyboard.press('1')
  await expect(page.getByRole('status')).toHaveText('Reason: Spam or scams')
  const readDecision = () =>
    desk.database.prisma.decision.findFirst({ where: comment, select: { outcome: true, reasonId: true } })
  await expect
    .poll(readDecision, { message: 'waited until the comment is deleted with its reason' })
    .toEqual({ outcome: 'deleted', reasonId: 'spam' })

  await expect(row(page, post)).toBeFocused()
  await page.keyboard.press('a')
  await expect
    .poll(() => flagCountOf(desk, post), { message: 'waited until the report of the post is dismissed' })
    .toBe(0)
  await expect(row(page, post)).toHaveCount(0)
})

test('a reported person can be banned from the report by an admin, which closes it', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const person = await make(desk).user({ displayName: 'Quarrel Some' })
  const subject: Subject = { subjectType: 'user', subjectId: person.userId }
  await report(desk, subject)
  const { communityId } = desk.community
  const text = 'The latest from a quarrel'
  await make(desk).heldComment({ communityId, approvalStatus: null, userId: person.userId, data: { text } })
  await desk.signIn(page, 'admin')
  await page.goto(`${urlOf(desk, subject)}&kind=user`)
  await expect(page.getByRole('heading', { name: 'Quarrel Some' }).first()).toBeAttached()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(page.getByRole('article')).toContainText('The latest from a quarrel')
  await page.keyboard.press('r')
  await expect(page.getByRole('region', { name: 'Last action' })).toContainText(
    'People can’t be deleted here. To ban Quarrel Some, press B.',
  )

  await page.keyboard.press('b')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  const { prisma } = desk.database
  const isBanned = async () => (await prisma.user.findUniqueOrThrow({ where: { userId: person.userId } })).isGlobalBan
  await expect.poll(isBanned, { message: 'waited until the person is banned' }).toBe(true)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await reportOf(desk, subject)).closedAt).not.toBeNull()
})

test('an escalated report is assigned to a colleague, and dismissed among what is escalated', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { comment } = await reportedThings(page, desk)
  const { name } = await desk.account('moderator')
  await page.goto(urlOf(desk, comment))
  await expect(page.getByRole('article')).toBeVisible()
  await page.keyboard.press('e')
  await page.keyboard.type('Is this allowed?')
  await page.getByRole('combobox', { name: 'Assign to' }).fill(name)
  await page.getByRole('option', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Escalate' }).click()
  await expect(page.getByRole('article')).toContainText(name)

  await page.getByRole('navigation').getByRole('link', { name: 'Escalated 1' }).click()
  await expect(page.getByRole('listbox', { name: 'Escalated' }).getByRole('option')).toHaveCount(1)
  await row(page, comment).click()
  await expect(page.getByRole('article')).toContainText(name)
  await page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('heading', { name: 'No escalated items' })).toBeVisible()
  await expect.poll(() => flagCountOf(desk, comment), { message: 'waited until the report is dismissed' }).toBe(0)
  await page.keyboard.press('u')
  await expect(row(page, comment)).toBeVisible()
})

test('a report is escalated with the same key, stays in the list with a mark, and undo removes it', async ({
  page,
  desk,
}) => {
  const { message } = await reportedThings(page, desk)
  await page.goto(urlOf(desk, message))
  await expect(page.getByRole('article')).toContainText('wrote earlier')
  await page.keyboard.press('e')
  await page.keyboard.type('Is this allowed at the market?')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article')).toContainText('Is this allowed at the market?')
  await expect(row(page, message).getByRole('img', { name: 'Escalated' })).toBeVisible()
  await page.keyboard.press('u')
  await expect(row(page, message).getByRole('img', { name: 'Escalated' })).toHaveCount(0)
})

test('a claimed report is listed under Mine until it is released, and colleagues see whose it is', {
  tag: '@stress',
}, async ({ page, browser, desk }) => {
  const { comment, message } = await reportedThings(page, desk)
  const other = await browser.newContext()
  const colleague = await other.newPage()
  await desk.signIn(colleague, 'moderator')
  await colleague.goto(urlOf(desk, comment))
  await page.goto(urlOf(desk, comment))
  for (const thing of [comment, message]) {
    await row(page, thing).click()
    await expect(page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name: 'Claim' })).toBeVisible()
    await page.keyboard.press('c')
    await expect(row(page, thing)).toContainText('Claimed by You')
  }
  await expect(row(colleague, comment)).toContainText('Claimed by')
  await colleague.keyboard.press('a')
  await expect(colleague.getByRole('status')).toContainText('Repeat your decision to confirm it.')
  expect(await flagCountOf(desk, comment)).toBe(1)
  await other.close()

  await page.getByRole('navigation').getByRole('link', { name: 'Mine 2' }).click()
  await expect(page.getByRole('listbox', { name: 'Mine' }).getByRole('option')).toHaveCount(2)
  await row(page, message).click()
  await expect(page.getByRole('article')).toContainText('The watches are at my stall.')
  await expectNoFindings(page)
  await page.keyboard.press('c')
  await expect(row(page, message)).toHaveCount(0)
  await expect(row(page, comment)).toHaveAttribute('data-current', 'true')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { name: 'You haven’t claimed anything' })).toBeVisible()
  await expect.poll(() => flagCountOf(desk, comment), { message: 'waited until the report is dismissed' }).toBe(0)
  await page.keyboard.press('u')
  await expect(row(page, comment)).toBeVisible()
})

test('shows who handled the report first and how', { tag: '@stress' }, async ({ page, desk }) => {
  const { message, comment, channelId } = await reportedThings(page, desk)
  await page.goto(urlOf(desk, message))
  await expect(row(page, message)).toBeVisible()

  const { userId } = await channelFactoriesOf(desk.database).moderatorOf(channelId)
  const colleague = { kind: 'user' as const, userId, name: 'Colleague' }
  await page.route('**/api/trpc/live.**', (route) => route.abort())
  const { version } = await reportOf(desk, message)
  await decide(ctxOf(desk.database, colleague), { ...message, version, outcome: 'deleted' })
  await page.keyboard.press('a')
  await expect(page.getByText('Colleague deleted the reported item by Teller')).toBeVisible()
  await expect(page.getByText('Your dismissal wasn’t counted.')).toBeVisible()
  await expect(row(page, comment)).toBeVisible()
})

test('new reports wait behind a button, and reports handled by a colleague leave', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { message, comment, channelId, communityId } = await reportedThings(page, desk)
  await page.goto(urlOf(desk, message))
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()
  const late = await make(desk).heldComment({ communityId, approvalStatus: null })
  await report(desk, { subjectType: 'comment', subjectId: late.commentId })
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
  await page.getByRole('button', { name: '1 new' }).click()
  await expect(row(page, { subjectType: 'comment', subjectId: late.commentId })).toBeVisible()

  const reviewer = await make(desk).reviewerOf(communityId)
  const { version } = await reportOf(desk, comment)
  await decide(ctxOf(desk.database, reviewer), { ...comment, version, outcome: 'dismissed' })
  await expect(row(page, comment)).toHaveCount(0)

  const { userId } = await channelFactoriesOf(desk.database).moderatorOf(channelId)
  const shown = await reportOf(desk, message)
  await decide(ctxOf(desk.database, { kind: 'user', userId, name: 'Colleague' }), {
    ...message,
    version: shown.version,
    outcome: 'dismissed',
  })
  await expect(page.getByRole('article').getByText('Colleague dismissed this report')).toBeVisible()
})

test('a private conversation opens with a logged reason and stays open for that person', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId } = await channelFactoriesOf(desk.database).channel({
    type: 'conversation',
    displayName: 'Two of us',
  })
  const author = await channelFactoriesOf(desk.database).channelUser({ channelId, displayName: 'Whisperer' })
  const said = (text: string) =>
    channelFactoriesOf(desk.database).message({ channelId, userId: author.userId, data: { text } })
  await said('Nobody else reads this.')
  const { messageId } = await said('I know where you live.')
  const subject: Subject = { subjectType: 'message', subjectId: messageId }
  await report(desk, subject, channelId)
  await desk.signIn(page, 'admin')
  await page.goto(`${urlOf(desk, subject)}&kind=message`)
  await expect(page.getByText('I know where you live.')).toHaveCount(0)
  await expectNoFindings(page)

  await page.getByLabel('Reason for opening it').fill('Reported as a threat')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toContainText('I know where you live.')
  await expect(page.getByRole('article')).toContainText('Nobody else reads this.')
  await page.reload()
  await expect(page.getByRole('article')).toContainText('I know where you live.')
  const where = { subjectId: messageId, action: 'message.opened' }
  expect(await desk.database.prisma.audit.count({ where })).toBe(1)
})

test('filters by type and community survive a reload, and filters of other views are ignored', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { message, comment, communityId } = await reportedThings(page, desk)
  await page.goto(`${desk.url}/queue?view=reported&kind=message&text=nothing`)
  await expect(row(page, message)).toBeVisible()
  await expect(row(page, comment)).toHaveCount(0)
  await expect(page.getByRole('search')).toContainText('1 of 3 reported in')
  await page.goto(`${desk.url}/queue?view=reported&communityId=${communityId}`)
  await expect(row(page, comment)).toBeVisible()
  await expect(row(page, message)).toHaveCount(0)
  await page.keyboard.press('f')
  await expect(page.getByRole('menuitem')).toHaveText(['Community', 'Comments, posts, messages or people'])
})

for (const size of windows(320)) {
  test(`reports have no axe findings at ${size.width} × ${size.height}`, { tag: '@stress' }, async ({ page, desk }) => {
    const { message } = await reportedThings(page, desk)
    await page.setViewportSize(size)
    await page.goto(`${desk.url}/queue?view=reported`)
    await expect(row(page, message)).toBeVisible()
    await expectNoFindings(page)
    await row(page, message).click()
    await expect(page.getByRole('article')).toContainText('The watches are at my stall.')
    await expectNoFindings(page)
    const person = await make(desk).user({ displayName: 'Seller of watches' })
    await make(desk).heldComment({ communityId: desk.community.communityId, userId: person.userId })
    await report(desk, { subjectType: 'user', subjectId: person.userId })
    await desk.signIn(page, 'admin')
    await page.goto(`${desk.url}/queue?view=reported&item=user:${encodeURIComponent(person.userId)}`)
    await expect(page.getByText('Recent content')).toBeVisible()
    await expectNoFindings(page)
    if (size.width <= 640) return
    // An admin's list is long: its row may not be rendered yet.
    await page.goto(urlOf(desk, message))
    await page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('Undo (').filter({ visible: true })).toBeVisible()
    await expectNoFindings(page)
  })
}

test('a channel moderator without a community finds reports of their channel', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { message, communityId, moderatorId } = await reportedThings(page, desk)
  await desk.database.prisma.communityUser.deleteMany({ where: { communityId, userId: moderatorId } })
  await page.goto(`${desk.url}/queue`)
  await page.getByRole('link', { name: 'Reported 1' }).click()
  await expect(row(page, message)).toBeVisible()
})

test('shows an empty state when nothing is reported', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?view=reported`)
  await expect(page.getByRole('heading', { name: 'No reported items' })).toBeVisible()
  await expectNoFindings(page)
})

const make = (desk: Desk) => factoriesOf(desk.database)
const urlOf = (desk: Desk, { subjectType, subjectId }: Subject) =>
  `${desk.url}/queue?view=reported&item=${subjectType}:${subjectId}`
const row = (page: Page, { subjectType, subjectId }: Subject) => page.locator(`[id="row-${subjectType}:${subjectId}"]`)

/** A message, a comment and a post that somebody has flagged, the message last, for a new moderator who is signed in. */
async function reportedThings(page: Page, desk: Desk) {
  const { email } = await desk.signIn(page, 'moderator')
  const { networkUserId } = await desk.database.prisma.staffAccount.findUniqueOrThrow({ where: { email } })
  const { communityId } = desk.community
  const rooms = channelFactoriesOf(desk.database)
  const { channelId } = await rooms.channel({ displayName: 'Quay chat' })
  await rooms.channelUser({ channelId, userId: networkUserId, roles: ['channel-moderator'] })
  const teller = await rooms.channelUser({ channelId, displayName: 'Teller' })
  const earlier = new Date(Date.now() - 3 * 60_000)
  await rooms.message({ channelId, data: { text: 'Who has a watch?' }, createdAt: earlier })
  const { messageId } = await rooms.message({
    channelId,
    userId: teller.userId,
    data: { text: 'The watches are at my stall.' },
  })

  const writer = async (displayName: string) => (await make(desk).user({ displayName })).userId
  const { commentId } = await make(desk).heldComment({
    communityId,
    approvalStatus: null,
    userId: await writer('Talker'),
    data: { text: 'Cheap watches, ask me.' },
  })
  const { postId } = await make(desk).post({
    communityId,
    postedUserId: await writer('Poster'),
    data: { title: 'Watches', text: 'All sorts of them.' },
  })
  const things = {
    message: { subjectType: 'message', subjectId: messageId },
    comment: { subjectType: 'comment', subjectId: commentId },
    post: { subjectType: 'post', subjectId: postId },
  } satisfies Record<string, Subject>
  await report(desk, things.post)
  await report(desk, things.comment)
  await report(desk, things.message, channelId)
  return { ...things, channelId, communityId, moderatorId: networkUserId }
}

const FLAGGABLE = { comment: flaggableComment, post: flaggablePost, message: flaggableMessage, user: flaggableUser }

async function report(desk: Desk, { subjectType, subjectId }: Subject, channelId?: string): Promise<void> {
  const displayName = 'Somebody who flags'
  const { userId } = channelId
    ? await channelFactoriesOf(desk.database).channelUser({ channelId, displayName })
    : await make(desk).user({ displayName })
  // Safe: each is only called with its own id.
  const flaggable = FLAGGABLE[subjectType] as unknown as typeof flaggableUser
  await flag(ctxOf(desk.database, asUser(userId)), flaggable, { id: subjectId, flag: REASON })
}

const reportOf = (desk: Desk, subject: Subject) =>
  desk.database.prisma.reviewItem.findFirstOrThrow({ where: { ...subject, kind: 'reported' } })

async function flagCountOf(desk: Desk, { subjectType, subjectId }: Subject): Promise<number> {
  const { prisma } = desk.database
  const found = {
    comment: () => prisma.comment.findUniqueOrThrow({ where: { commentId: subjectId } }),
    post: () => prisma.post.findUniqueOrThrow({ where: { postId: subjectId } }),
    message: () => prisma.message.findUniqueOrThrow({ where: { messageId: subjectId } }),
    user: () => prisma.user.findUniqueOrThrow({ where: { userId: subjectId } }),
  }
  return (await found[subjectType]()).flagCount
}
