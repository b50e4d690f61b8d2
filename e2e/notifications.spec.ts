import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { openPushStub } from '#server/testing/push-stub.ts'
import { openSmtpStub } from '#server/testing/smtp-stub.ts'
import type { StaffAccount } from '#server/testing/staff-account.ts'
import { expectNoFindings } from './axe.ts'
import { test as base, type Desk, expect } from './fixtures.ts'

const test = base.extend<{ mailbox: Awaited<ReturnType<typeof openSmtpStub>> }>({
  mailbox: async ({ desk }, use) => {
    const mailbox = await openSmtpStub()
    await use(mailbox)
    await desk.database.prisma.notificationSettings.update({ where: { id: 1 }, data: { host: null } })
    await mailbox.close()
  },
})

test('an admin sets up mail; who is handed an item gets a mail that opens it, and stops such mails with one click', async ({
  page,
  desk,
  mailbox,
  browser,
}) => {
  const admin = await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/mail`)
  await page.getByRole('button', { name: 'Set up mail server…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mail server' })
  await dialog.getByLabel('Host').fill('127.0.0.1')
  await dialog.getByLabel('Port').fill(String(mailbox.port))
  await dialog.getByLabel('Sender address').fill('docket@desk.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(page.getByText(`Sent to ${admin.email}`)).toBeVisible()
  expect(mailbox.mails.map(({ to, headers }) => [...to, headers.subject])).toEqual([
    [admin.email, 'Test mail from Docket'],
  ])
  await expectNoFindings(page)

  const me = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/notifications`)
  const topic = page.getByRole('group', { name: 'Escalated or handed to me' })
  await topic.getByLabel('Mail').selectOption('At once')
  await expect(page.getByText('Saved.')).toBeAttached()
  await expectNoFindings(page)

  await handTo(desk, me, 0)
  await expect.poll(() => mailbox.mails.length, { message: 'waited until the mail has arrived' }).toBe(2)
  const mail = mailbox.mails[1]
  expect(mail?.to).toEqual([me.email])
  await page.goto(linkIn(mail?.text, '/queue'))
  await expect(page.getByRole('main')).toContainText(desk.held[0]?.text ?? '')

  const outside = await browser.newContext()
  const stopping = await outside.newPage()
  await stopping.goto(linkIn(mail?.text, '/stop'))
  await expect(stopping.getByText('You won’t get mails about this any more:')).toBeVisible()
  await expect(stopping.getByRole('listitem')).toHaveText(['Escalated or handed to me'])
  await expectNoFindings(stopping)
  await stopping.goto(`${linkIn(mail?.text, '/stop')}x`)
  await expect(stopping.getByText('This link has expired or isn’t complete.')).toBeVisible()
  await outside.close()
  await page.goto(`${desk.url}/settings/notifications`)
  await expect(topic.getByLabel('Mail')).toHaveValue('off')
})

test('an admin adds a chat room, tests it, and the room gets a post that opens the item; removing it is confirmed', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const chat = await openPushStub()
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/mail`)
  await page.getByRole('button', { name: 'Add room…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a chat room' })
  await dialog.getByLabel('Name').fill('Night watch')
  await dialog.getByLabel('Address of the webhook').fill(`${chat.url}/very-secret`)
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Add room' }).click()
  await page.getByRole('button', { name: 'Send a test to Night watch' }).click()
  await expect(page.getByText(/^Posted in \d+ ms\.$/)).toBeVisible()
  expect(chat.received.map(({ path }) => path)).toEqual(['/very-secret'])
  expect(await page.content()).not.toContain('very-secret')
  await expectNoFindings(page)

  await handTo(desk, await desk.account('moderator'), 1)
  // Other tests escalate, too: the room is for the whole network.
  const linksOf = () =>
    chat.received.flatMap(({ body }) => [...String(JSON.parse(body.toString()).text).matchAll(/<([^|>]*)\|/g)])
  const find = () => linksOf().find(([, url = '']) => url.includes(`item=comment%3A${desk.held[1]?.commentId}`))?.[1]
  await expect.poll(find, { message: 'waited until the post has arrived' }).toBeDefined()
  const link = find()?.replaceAll('&amp;', '&') ?? ''
  await page.goto(link)
  await expect(page.getByRole('main')).toContainText(desk.held[1]?.text ?? '')

  await page.goto(`${desk.url}/settings/mail`)
  await page.getByRole('button', { name: 'Remove Night watch' }).click()
  await expect(page.getByRole('dialog')).toContainText('its address is deleted')
  await page.getByRole('button', { name: 'Remove room' }).click()
  await expect(page.getByRole('heading', { name: 'No chat rooms yet' })).toBeVisible()
  await chat.close()
})

/** A colleague hands a held item to this person. */
async function handTo(desk: Desk, { userId }: StaffAccount, index: number): Promise<void> {
  const colleague = await desk.account('moderator')
  const item = { subjectType: 'comment' as const, subjectId: desk.held[index]?.commentId ?? '' }
  await escalate(ctxOf(desk.database, asUser(colleague.userId)), { ...item, note: 'Please look', handTo: userId })
}

/** The address in a mail that begins with this path. */
function linkIn(text: string | undefined, path: string): string {
  return text?.split(/\s+/).find((word) => URL.parse(word)?.pathname === path) ?? ''
}
