import type { Page } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { type Desk, expect, test } from './fixtures.ts'

test.describe('by keyboard alone', () => {
  test('a rejection takes its reason from the second key, and the next item is there already', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.keyboard.press('7')

    await expect(page.getByRole('status')).toHaveText('Reason: Spam or scams')
    await expect(row(page, desk, 1)).toBeFocused()
    await expect
      .poll(() => decisionOf(desk, 0))
      .toMatchObject({ outcome: 'rejected', reasonId: 'spam', undoneAt: null })
    expect(await decisionsOf(desk, 0)).toHaveLength(1)
  })

  test('the reasons stand at the rejection until one goes on; a digit after that is nobody’s reason', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    const reasons = page.getByRole('group', { name: 'Reason for the last rejection' })
    await expect(reasons.getByRole('button')).toHaveCount(10)
    await expect(row(page, desk, 1)).toBeFocused()

    await page.keyboard.press('j')
    await expect(reasons).toBeHidden()
    await page.keyboard.press('7')
    await page.keyboard.press('r')
    await page.keyboard.press('2')
    await expect.poll(() => decisionOf(desk, 2)).toMatchObject({ reasonId: 'harassment' })
    expect(await decisionOf(desk, 0)).toMatchObject({ outcome: 'rejected', reasonId: null })
  })

  test('of two digits the last one counts, and a rejection with a reason can be taken back', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.keyboard.press('1')
    await page.keyboard.press('4')
    await expect.poll(() => decisionOf(desk, 0)).toMatchObject({ reasonId: 'violence' })
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone: Author first')
    await expect.poll(() => desk.stateOf(idOf(desk, 0))).toBe('pending')
  })

  test('with its reason the text to the author is shown', async ({ page, desk }) => {
    const textToAuthor = 'Please name where you have this from.'
    await desk.database.prisma.rejectionReason.update({ where: { reasonId: 'false' }, data: { textToAuthor } })
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.keyboard.press('8')
    await expect(page.getByRole('region', { name: 'Last decision' }).first()).toContainText(textToAuthor)
  })

  test('a reason that cannot be sent says so, and the rejection stands', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.route('**/api/trpc/review.giveReason**', (route) => route.abort())
    await page.keyboard.press('r')
    await page.keyboard.press('1')
    await expect(page.getByRole('status')).toHaveText(
      'Couldn’t save the reason. The item by Author first is rejected without one.',
    )
    expect(await decisionOf(desk, 0)).toMatchObject({ outcome: 'rejected', reasonId: null })
  })

  test('a decision outlives the page that is closed with the key', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.close()
    await expect.poll(() => desk.stateOf(idOf(desk, 0))).toBe('rejected')
  })

  test('a reason in words takes the rejection back until it is sent, and goes with the decision', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.keyboard.press('0')
    const dialog = page.getByRole('dialog', { name: 'Reject the item by Author first' })
    await expect(dialog.getByRole('textbox')).toBeFocused()
    expect(await desk.stateOf(idOf(desk, 0))).toBe('pending')

    await page.keyboard.type('Names a private person')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await expect(row(page, desk, 1)).toBeFocused()
    await expect.poll(() => decisionOf(desk, 0)).toMatchObject({ reason: 'Names a private person', undoneAt: null })
  })

  test('a ban for a day takes three keys, says what it did, and is taken back by a fourth', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('b')
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')

    await expect(page.getByRole('region', { name: 'Last action' })).toContainText(
      `Banned Author first from ${desk.community.displayName}, for 1 day.`,
    )
    await expect(page.getByRole('dialog')).toBeHidden()
    const [ban] = await bansOf(desk, 0)
    expect(Math.round(((ban?.endsAt?.getTime() ?? 0) - (ban?.createdAt.getTime() ?? 0)) / 60_000)).toBe(1_440)
    const context = page.getByRole('complementary', { name: 'Context' })
    await expect(context).toContainText(`Banned from ${desk.community.displayName}:`)
    await expect(context.getByRole('button', { name: 'Lift ban' })).toBeVisible()

    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone.')
    await expect.poll(async () => (await bansOf(desk, 0))[0]?.liftedAt).toBeTruthy()
  })

  test('three keys are a ban also where the dialog is slow to come, and none of them reaches the desk', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.route('**/_next/**/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.keyboard.press('b')
    await page.keyboard.press('3')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Last action' })).toContainText('for 1 week.')
    expect(await bansOf(desk, 0)).toHaveLength(1)
    expect(await desk.stateOf(idOf(desk, 0))).toBe('pending')
  })

  test('a ban shows what else of theirs waits, rejects it with it, and one undo brings all back', async ({
    page,
    desk,
  }) => {
    const others = await moreOf(desk, 0, 3)
    await openQueue(page, desk)
    await page.getByRole('option', { name: textOf(desk, 0) }).focus()
    await page.keyboard.press('b')
    await page.keyboard.press('5')
    const dialog = page.getByRole('dialog', { name: 'Ban Author first' })
    await dialog.getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await expect(
      dialog.getByRole('list', { name: 'Other held items by this person' }).getByRole('listitem'),
    ).toHaveCount(3)
    await page.keyboard.press('Enter')

    await expect(page.getByRole('region', { name: 'Last action' })).toContainText('Rejected 3 of their other items.')
    await expect(page.getByRole('option', { name: 'Another one' })).toHaveCount(0)
    expect(await Promise.all(others.map(desk.stateOf))).toEqual(['rejected', 'rejected', 'rejected'])
    await page.keyboard.press('u')
    await expect.poll(() => Promise.all(others.map(desk.stateOf))).toEqual(['pending', 'pending', 'pending'])
    await expect(page.getByRole('option', { name: 'Another one' })).toHaveCount(3)
  })

  test('an item is escalated to a colleague with a note, leaves the list, and undo brings it back', async ({
    page,
    desk,
  }) => {
    const colleague = await desk.account('moderator')
    await openQueue(page, desk)
    await page.keyboard.press('e')
    await page.keyboard.type('Is this a threat?')
    await expect(page.getByRole('dialog', { name: 'Escalate this item by Author first' })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.type(colleague.name)
    await expect(page.getByRole('option', { name: colleague.name })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')

    await expect(page.getByRole('status')).toHaveText(`Escalated to ${colleague.name}: Author first`)
    await expect(row(page, desk, 0)).toBeHidden()
    await expect(row(page, desk, 1)).toBeFocused()
    // What has left is not told as new.
    await expect(page.getByRole('search')).toContainText('7 held in')
    await expect(page.getByRole('button', { name: /\d new/ })).toHaveCount(0)
    await page.keyboard.press('u')
    await expect(row(page, desk, 0)).toBeVisible()
    await expect.poll(() => openEscalationsOf(desk, 0)).toEqual([])
  })

  test('an escalated item says who, why and to whom, is handed over, and put back', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('e')
    await page.keyboard.type('Is this a threat?')
    await page.keyboard.press('Control+Enter')
    await expect(row(page, desk, 0)).toBeHidden()

    await page.goto(queueOf(desk, `&item=comment:${idOf(desk, 0)}`))
    const item = page.getByRole('article')
    await expect(item).toContainText('escalated this')
    await expect(item).toContainText('Is this a threat?')
    await expect(item).toContainText('Open to anyone.')
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Reassign this item by Author first' })
    await dialog.getByRole('button', { name: 'Return to queue' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status')).toHaveText('Returned to the queue: Author first')
    await expect(row(page, desk, 0)).toBeVisible()
    expect(await openEscalationsOf(desk, 0)).toEqual([])
  })

  test('a note is kept, stands with the author, and is taken back by who wrote it', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('n')
    await page.keyboard.type('Warned about this on 3 May')
    await page.keyboard.press('Control+Enter')

    const context = page.getByRole('complementary', { name: 'Context' })
    await expect(context).toContainText('Warned about this on 3 May')
    await expect(row(page, desk, 0)).toBeFocused()
    await context.getByRole('button', { name: 'Delete note' }).focus()
    await page.keyboard.press('Enter')
    await expect(context).not.toContainText('Warned about this on 3 May')
  })

  test('the focus comes back to the row also where the page behind a dialog is slow to be reachable again', async ({
    page,
    desk,
  }) => {
    await page.addInitScript(keepUnreachable)
    await openQueue(page, desk)
    await page.keyboard.press('n')
    await page.keyboard.type('Warned about this on 3 May')
    await page.keyboard.press('Control+Enter')
    await expect(page.locator('main[data-was-kept]')).toBeAttached()
    await expect(row(page, desk, 0)).toBeFocused()
  })

  test('what is skipped does not come back this round, until it is asked for', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await expect(row(page, desk, 2)).toBeFocused()
    await expect(row(page, desk, 0)).toBeHidden()
    await page.keyboard.press('u')
    await expect(row(page, desk, 1)).toBeFocused()

    await page.getByRole('button', { name: '1 skipped: show it again' }).focus()
    await page.keyboard.press('Enter')
    await expect(row(page, desk, 0)).toBeVisible()
    expect(await Promise.all([0, 1].map((index) => desk.stateOf(idOf(desk, index))))).toEqual(['pending', 'pending'])
  })

  test('an approval is made a rejection, with its reason, as a new decision that says it is final', async ({
    page,
    desk,
  }) => {
    const { name } = await desk.decideElsewhere(idOf(desk, 0), 'approved')
    await openQueue(page, desk, `&item=comment:${idOf(desk, 0)}`)
    await expect(page.getByRole('article')).toContainText(`${name} approved this`)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reverse the approval of Author first' })
    await expect(dialog).toContainText('a new decision')
    await expect(dialog).toContainText('It becomes final after 10 seconds.')
    await page.keyboard.type('Passed by mistake')
    await page.keyboard.press('Control+Enter')

    await expect(page.getByRole('article')).toContainText('rejected this')
    await expect(page.getByRole('article')).toContainText('Rejections are final.')
    expect(await desk.stateOf(idOf(desk, 0))).toBe('rejected')
    expect(await decisionsOf(desk, 0)).toMatchObject([
      { outcome: 'approved', isReversal: false },
      { outcome: 'rejected', isReversal: true, reason: 'Passed by mistake' },
    ])
    await page.keyboard.press('u')
    await expect.poll(() => desk.stateOf(idOf(desk, 0))).toBe('approved')
  })

  test('the thread opens around the item, and Escape leads back to the row', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('o')
    const thread = page.getByRole('dialog', { name: 'Thread' })
    await expect(thread).toContainText('High water at the quay')
    await expect(thread).toContainText('Is the lower road open again?')
    await expect(thread).toContainText('this item')
    await page.keyboard.press('Escape')
    await expect(thread).toBeHidden()
    await expect(row(page, desk, 0)).toBeFocused()
  })
})

test.describe('what was typed', () => {
  test('survives a failed send, a colleague who was first, and Escape', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('e')
    await page.keyboard.type('arjs: none of these keys decides')
    await page.route('**/api/trpc/escalations.escalate**', (route) => route.abort())
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Escalate this item by Author first' })
    await expect(dialog.getByRole('alert')).toContainText('Couldn’t reach the server.')
    await expect(dialog.getByRole('textbox', { name: 'What should' })).toHaveValue('arjs: none of these keys decides')

    await page.keyboard.press('Escape')
    await expect(row(page, desk, 0)).toBeFocused()
    await page.unroute('**/api/trpc/escalations.escalate**')
    await desk.decideElsewhere(idOf(desk, 0), 'approved')
    await page.keyboard.press('e')
    await expect(dialog.getByRole('textbox', { name: 'What should' })).toHaveValue('arjs: none of these keys decides')
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByRole('alert')).toContainText('Someone else changed this first')
    expect(await desk.stateOf(idOf(desk, 1))).toBe('pending')
  })

  test('for a rejection that came second can be kept as a note', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('0')
    await page.keyboard.type('They were warned twice')
    const { name } = await desk.decideElsewhere(idOf(desk, 0), 'approved')
    await page.keyboard.press('Control+Enter')

    await expect(page.getByText(`${name} approved the comment by Author first`)).toBeVisible()
    await page.getByRole('button', { name: 'Save my text as a note' }).click()
    await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue('They were warned twice')
  })
})

test('pictures are covered, nothing is fetched before they are asked for, and they come grey and blurred', async ({
  page,
  desk,
}) => {
  await attachPicture(desk, 0)
  await attachPicture(desk, 1)
  const fetched: string[] = []
  page.on('request', (request) => request.url().includes('/quay.png') && fetched.push(request.url()))
  await openQueue(page, desk)
  await page.route('**/quay.png', (route) => route.fulfill({ contentType: 'image/png', body: ONE_PIXEL }))
  const item = page.getByRole('article')
  await expect(item).toContainText('1 image, hidden')
  await expect(item).toContainText('Mentions')
  expect(fetched).toEqual([])

  await page.keyboard.press('v')
  const picture = item.getByRole('img', { name: 'The quay' })
  await expect(picture).toHaveCSS('filter', /blur.*grayscale/)
  await page.keyboard.press('v')
  await expect(picture).toHaveCSS('filter', 'none')
  await page.keyboard.press('j')
  await expect(item).toContainText(textOf(desk, 1))
  await expect(item).toContainText('1 image, hidden')
})

test('the same words, judged before, are shown with their outcome', async ({ page, desk }) => {
  await desk.database.prisma.comment.update({
    where: { commentId: idOf(desk, 1) },
    data: { data: { text: textOf(desk, 0).toUpperCase() } },
  })
  const { name } = await desk.decideElsewhere(idOf(desk, 1), 'rejected')
  await openQueue(page, desk)
  const context = page.getByRole('complementary', { name: 'Context' })
  await expect(context).toContainText('Same text, past decisions')
  await expect(context).toContainText(`by ${name}`)
  await expect(context.getByRole('button', { name: `Comment in ${desk.community.displayName}` })).toBeVisible()
})

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const queueOf = (desk: Desk, more = '') => `${desk.url}/queue?communityId=${desk.community.communityId}${more}`

/** Run in the page: what React Aria is about to focus cannot be reached until a few frames later. */
function keepUnreachable(): void {
  const keep = () => {
    const main = document.querySelector('main')
    if (main === null) return
    main.inert = true
    main.dataset.wasKept = ''
    setTimeout(() => main.removeAttribute('inert'), 100)
  }
  document.addEventListener('react-aria-focus-scope-restore', keep, { capture: true })
}

async function openQueue(page: Page, desk: Desk, more = ''): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk, more), { waitUntil: 'load' })
  await expect(page.getByRole('article')).toBeAttached()
  const first = page.getByRole('option').first()
  if (await first.isVisible()) await first.focus()
}

const textOf = (desk: Desk, index: number) => desk.held[index]?.text ?? ''
const idOf = (desk: Desk, index: number) => desk.held[index]?.commentId ?? ''
const row = (page: Page, desk: Desk, index: number) => page.getByRole('option', { name: textOf(desk, index) })

function decisionsOf(desk: Desk, index: number) {
  return desk.database.prisma.decision.findMany({
    where: { subjectId: idOf(desk, index) },
    orderBy: { decisionId: 'asc' },
    select: { outcome: true, reason: true, reasonId: true, isReversal: true, undoneAt: true },
  })
}

const decisionOf = async (desk: Desk, index: number) => (await decisionsOf(desk, index)).at(-1)

const authorOf = async (desk: Desk, index: number) =>
  (await desk.database.prisma.comment.findUniqueOrThrow({ where: { commentId: idOf(desk, index) } })).userId

const bansOf = async (desk: Desk, index: number) =>
  desk.database.prisma.ban.findMany({ where: { userId: await authorOf(desk, index) } })

const openEscalationsOf = (desk: Desk, index: number) =>
  desk.database.prisma.escalation.findMany({ where: { subjectId: idOf(desk, index), closedAt: null } })

/** Held longer than all others, so that the first row stays what it was. */
async function moreOf(desk: Desk, index: number, count: number): Promise<string[]> {
  const userId = await authorOf(desk, index)
  const make = factoriesOf(desk.database)
  const { communityId } = desk.community
  const at = new Date(Date.now() - 86_400_000)
  const text = 'Another one of the same author.'
  const held = await Promise.all(
    Array.from({ length: count }, () =>
      make.heldComment({ communityId, userId, data: { text }, createdAt: at, queuedAt: at }),
    ),
  )
  return held.map(({ commentId }) => commentId)
}

async function attachPicture(desk: Desk, index: number): Promise<void> {
  const { prisma } = desk.database
  const userId = await authorOf(desk, 1)
  const { fileId } = await prisma.file.create({
    data: {
      fileId: `file-${crypto.randomUUID()}`,
      type: 'image',
      fileUrl: `${desk.url}/quay.png`,
      altText: 'The quay',
    },
  })
  await prisma.comment.update({
    where: { commentId: idOf(desk, index) },
    data: {
      dataTypes: ['text', 'image'],
      attachments: [{ type: 'image', fileId }],
      mentionees: [{ type: 'user', userIds: [userId] }],
    },
  })
}
