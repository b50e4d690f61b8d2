import type { Page } from '@playwright/test'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { expectNoFindings, windows } from './axe.ts'
import { hold, moderatorOf, queriesOf, refuse } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a moderator finds a message, sees it in its conversation and bans its author in two keys, and removes what they wrote with a third', async ({
  page,
  desk,
}) => {
  const { channelId, word, seller } = await talk(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/messages`)
  await page.keyboard.type(`${word} watches`)
  await expect(page.getByText('1 message', { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  const pane = conversation(page)
  await expect(pane).toContainText('line 3')
  await expect(pane).toContainText(`Cheap ${word} watches`)
  await expect(pane).toContainText('line 5')
  await expect(page).toHaveURL(/message=/)

  await expect(hits(page).getByRole('button', { name: seller.name })).toBeFocused()
  await page.keyboard.press('b')
  await expect(page.getByRole('dialog').getByRole('radio', { name: '1 day' })).toBeChecked()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Ban and remove 1' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText(`Banned ${seller.name} from`)
  await expect(page.getByRole('status')).toContainText('Removed 1 item.')
  const written = { channelId, userId: seller.userId }
  expect(await desk.database.prisma.message.count({ where: { ...written, isDeleted: true } })).toBe(1)
  await expect(pane).toContainText('Banned here')
  const ban = await desk.database.prisma.ban.findFirstOrThrow({ where: { channelId, userId: seller.userId } })
  expect(Number(ban.endsAt) - Number(ban.createdAt)).toBeCloseTo(86_400_000, -5)

  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  expect(await desk.database.prisma.message.count({ where: { ...written, isDeleted: true } })).toBe(0)
  await pane.getByRole('link', { name: seller.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: seller.name })).toBeVisible()
})

test('deleting a message and clearing its flags can both be undone', async ({ page, desk }) => {
  const { channelId, messageId } = await talk(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/messages?${new URLSearchParams({ channelId, message: messageId })}`)
  const pane = conversation(page)
  await expect(pane.getByRole('list', { name: 'Flags' })).toContainText('Spam')
  await pane.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('status')).toContainText('Deleted a message by')
  await expect(pane.getByText('Deleted', { exact: true })).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  await expect(pane.getByRole('button', { name: 'Delete' })).toBeVisible()

  await pane.getByRole('button', { name: 'Clear 1 flag' }).click()
  await expect(page.getByRole('status')).toContainText('Cleared the flags')
  await expect(pane.getByRole('list', { name: 'Flags' })).toBeHidden()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  await expect(pane.getByRole('list', { name: 'Flags' })).toContainText('Spam')
})

test('filters narrow the results, are kept in the address and are cleared together', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId, word, seller } = await talk(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/messages?${new URLSearchParams({ channelId })}`)
  await expect(hits(page).getByRole('listitem')).toHaveCount(9)
  await page.getByRole('button', { name: 'anyone' }).click()
  await page.getByRole('searchbox', { name: 'ID, name or handle' }).fill(seller.userId)
  await page.getByRole('option', { name: seller.name }).click()
  await expect(hits(page).getByRole('listitem')).toHaveCount(1)
  await expect(page).toHaveURL(/userIds=/)
  await page.getByRole('button', { name: 'exact phrase' }).click()
  await page.getByRole('searchbox', { name: 'Search messages' }).fill(`watches ${word}`)
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('heading', { name: 'Search for messages' })).toBeVisible()
})

test('a private conversation opens only with permission and a recorded reason', { tag: '@stress' }, async ({
  page,
  browser,
  desk,
}) => {
  const { channelId } = await talk(desk, { type: 'conversation' })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/channels/${channelId}`)
  await page
    .getByRole('link', { name: /^Messages \d/ })
    .filter({ visible: true })
    .click()
  await expect(page.getByRole('button', { name: 'Open conversation' })).toBeDisabled()
  await expect(hits(page).getByRole('listitem')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Reason for opening it' }).fill('Case 71')
  await page.getByRole('button', { name: 'Open conversation' }).click()
  await expect(hits(page).getByRole('listitem')).toHaveCount(9)
  const audit = await desk.database.prisma.audit.findFirstOrThrow({
    where: { subjectId: channelId, action: 'channel.opened' },
  })
  const words = await desk.database.prisma.auditText.findFirstOrThrow({ where: { auditId: audit.auditId } })
  expect(words.text).toBe('Case 71')

  const theirs = await (await browser.newContext()).newPage()
  await desk.signIn(theirs, 'support')
  await theirs.goto(`${desk.url}/messages?${new URLSearchParams({ channelId })}`)
  await expect(theirs.getByRole('textbox', { name: 'Reason for opening it' })).toHaveCount(0)
  await expect(theirs.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
  await theirs.context().close()
})

test('support can read messages but cannot change anything', { tag: '@stress' }, async ({ page, desk }) => {
  const { channelId, messageId } = await talk(desk)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/messages?${new URLSearchParams({ channelId, message: messageId })}`)
  await expect(conversation(page)).toContainText('line 3')
  await expect(conversation(page).getByRole('button', { name: /Delete|Clear|Ban/ })).toHaveCount(0)
  const answer = await page.request.post(`${desk.url}/api/trpc/messages.delete`, {
    data: { messageId },
    headers: { origin: desk.url },
  })
  expect(answer.status()).toBe(403)
})

for (const size of windows(320)) {
  test(`has no axe findings at ${size.width} × ${size.height} and fits the width`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { channelId, messageId, word } = await talk(desk)
    await page.setViewportSize(size)
    await moderatorOf(page, desk, channelId)
    await page.goto(`${desk.url}/messages`)
    await expect(page.getByRole('heading', { name: 'Search for messages' })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/messages?${new URLSearchParams({ query: word })}`)
    await expect(hits(page).getByRole('listitem')).toHaveCount(1)
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Days: any day' }).click()
    await expect(page.getByRole('grid')).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/messages?${new URLSearchParams({ channelId, message: messageId })}`)
    await expect(conversation(page)).toContainText('line 3')
    await expectNoFindings(page)
  })
}

test('loading and failed searches are announced and have no axe findings', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId } = await talk(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/messages`)
  const answer = await hold(page, queriesOf('messages.search'), refuse)
  await page.keyboard.type('x')
  await expect(page.getByText('Loading')).toBeAttached()
  await expectNoFindings(page)
  answer()
  await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
  await expectNoFindings(page)
})

const hits = (page: Page) => page.getByRole('region', { name: 'Results' })
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' })

interface Talk {
  channelId: string
  /** In a single message, by the seller. */
  word: string
  messageId: string
  seller: { userId: string; name: string }
}

/** A channel with nine messages, the fifth of which is an offer that somebody flagged. */
async function talk(desk: Desk, over: object = {}): Promise<Talk> {
  const make = channelFactoriesOf(desk.database)
  const word = `w${crypto.randomUUID().replaceAll('-', '').slice(0, 9)}`
  const { channelId } = await make.channel({ displayName: `Quayside ${word.slice(0, 4)}`, ...over })
  const name = `Seller ${word.slice(0, 5)}`
  const { userId } = await make.channelUser({ channelId, displayName: name })
  const other = await make.channelUser({ channelId, displayName: 'Somebody else' })
  let messageId = ''
  for (let line = 0; line < 9; line += 1) {
    const isOffer = line === 4
    const said = await make.message({
      channelId,
      userId: isOffer ? userId : other.userId,
      createdAt: new Date(Date.UTC(2026, 2, 1, 12, line)),
      data: { text: isOffer ? `Cheap ${word} watches` : `line ${line}` },
      ...(isOffer && { flagCount: 1 }),
    })
    if (isOffer) messageId = said.messageId
  }
  await desk.database.prisma.flag.create({
    data: { subjectType: 'message', subjectId: messageId, userId: other.userId, reason: 'Spam' },
  })
  return { channelId, word, messageId, seller: { userId, name } }
}
