import type { Page } from '@playwright/test'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { hold, idOf, queueOf, row, textOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test.describe('by keyboard alone', () => {
  test('the toast and its reasons never cover the current row', { tag: '@stress' }, async ({ page, desk }) => {
    await page.setViewportSize({ width: 1440, height: 720 })
    await openQueue(page, desk)
    for (let moves = 0; moves < 6; moves += 1) await page.keyboard.press('j')
    await page.keyboard.press('r')
    await expect(page.getByRole('group', { name: 'Reason for the last rejection' })).toBeVisible()
    const current = row(page, desk, 7)
    await expect(current).toBeFocused()
    const top = async (of: typeof current) => (await of.boundingBox())?.y ?? 0
    const toast = page.getByRole('region', { name: 'Last decision' }).filter({ visible: true })
    await expect
      .poll(async () => (await top(toast)) - (await top(current)), {
        message: 'waited until the row is above the toast',
      })
      .toBeGreaterThanOrEqual(68)
  })

  test('reasons are offered until the moderator moves on, and later digits set no reason', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    const reasons = page.getByRole('group', { name: 'Reason for the last rejection' })
    await expect(reasons.getByRole('button')).toHaveCount(10)
    await expect(row(page, desk, 1)).toBeFocused()

    await page.keyboard.press('j')
    await expect(reasons).toBeHidden()
    await page.keyboard.press('7')
    await page.keyboard.press('r')
    await page.keyboard.press('3')
    await expect
      .poll(() => Promise.all([decisionOf(desk, 0), decisionOf(desk, 2)]), {
        message: 'waited until both are rejected',
      })
      .toMatchObject([
        { outcome: 'rejected', reasonId: null },
        { outcome: 'rejected', reasonId: 'harassment' },
      ])
  })

  test('the last digit pressed sets the reason while the next item is shown, undo takes both back, and an error is reported', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.keyboard.press('1')
    await expect(page.getByRole('status')).toHaveText('Reason: Spam or scams')
    await expect(row(page, desk, 1)).toBeFocused()
    await page.keyboard.press('5')
    await expect
      .poll(() => decisionOf(desk, 0), { message: 'waited until the last reason is saved' })
      .toMatchObject({ outcome: 'rejected', reasonId: 'violence', undoneAt: null })
    expect(await decisionsOf(desk, 0)).toHaveLength(1)
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone: Author first')
    expect(await desk.stateOf(idOf(desk, 0))).toBe('pending')

    await page.route('**/api/trpc/review.giveReason**', (route) => route.abort())
    await expect(row(page, desk, 0)).toBeFocused()
    await page.keyboard.press('r')
    await page.keyboard.press('1')
    await expect(page.getByRole('status')).toHaveText(
      'Couldn’t save the reason. The item by Author first is rejected without one.',
    )
    expect(await decisionOf(desk, 0)).toMatchObject({ outcome: 'rejected', reasonId: null })
  })

  test('shows the message to the author of the chosen reason', { tag: '@stress' }, async ({ page, desk }) => {
    const textToAuthor = 'Please name where you have this from.'
    await desk.database.prisma.rejectionReason.update({ where: { reasonId: 'false' }, data: { textToAuthor } })
    await openQueue(page, desk)
    await page.keyboard.press('r')
    await page.keyboard.press('8')
    await expect(page.getByRole('region', { name: 'Last decision' }).first()).toContainText(textToAuthor)
  })

  test('a custom reason holds back the rejection until it is confirmed and is saved with it', async ({
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
    await expect
      .poll(() => decisionOf(desk, 0), { message: 'waited until the rejection has arrived' })
      .toMatchObject({ reason: 'Names a private person', undoneAt: null })
  })

  test('a ban for one day takes three keys, reports what it did and is undone with a fourth', async ({
    page,
    desk,
  }) => {
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
    await expect
      .poll(async () => (await bansOf(desk, 0))[0]?.liftedAt, { message: 'waited until the ban is lifted' })
      .toBeTruthy()
  })

  test('a key pressed for a text that its author has just edited decides nothing, and both texts are shown', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const [first] = desk.held
    const commentId = first?.commentId ?? ''
    await expect(page.getByRole('article')).toContainText(first?.text ?? '')
    const author = ctxOf(desk.database, asUser(first?.userId ?? ''), { source: 'rest' })
    const article = page.getByRole('article')
    // Each act asks again, as the text has changed again.
    for (const [key, dialog] of [
      ['0', 'Reject the item by Author first'],
      ['b', 'Ban Author first'],
      ['Shift+B', 'Mute Author first'],
      ['e', 'Escalate this item'],
    ] as const) {
      const text = `Quite another text for ${key}`
      await editComment(author, { commentId, data: { text } })
      await expect(article.getByText(text)).toBeVisible()
      await expect(article.locator('del')).toHaveText(first?.text ?? '')
      await page.keyboard.press(key)
      const toast = page.getByRole('region', { name: 'Last action' })
      await expect(toast).toContainText('nothing was decided')
      await toast.getByRole('button', { name: 'Dismiss' }).click()
      await expect(page.getByRole('dialog')).toBeHidden()
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog')).toContainText(dialog)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }

    await editComment(author, { commentId, data: { text: 'Quite another text' } })
    await expect(article.getByText('Quite another text', { exact: true })).toBeVisible()
    await page.keyboard.press('a')
    await expect(page.getByRole('status')).toContainText('nothing was decided')
    expect(await desk.stateOf(commentId)).toBe('pending')
    await page.keyboard.press('a')
    await expect.poll(() => desk.stateOf(commentId), { message: 'waited until it is approved' }).toBe('approved')
    await expect(article.locator('del')).toHaveCount(0)
  })

  test('a ban counts what it rejects where it bans, and the ring is on the term that is chosen', async ({
    page,
    desk,
  }) => {
    await moreOf(desk, 0, 11)
    const userId = await authorOf(desk, 0)
    const make = factoriesOf(desk.database)
    const { communityId } = await make.community({ displayName: 'Another harbour' })
    for (const number of [1, 2, 3])
      await make.heldComment({ communityId, userId, data: { text: `Elsewhere ${number}` } })
    // Somebody who reviews both communities.
    await desk.signIn(page, 'admin')
    await page.goto(queueOf(desk))
    await page
      .getByRole('option')
      .filter({ hasText: textOf(desk, 0) })
      .click()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Ban Author first' })
    const withOthers = dialog.getByRole('checkbox', { name: 'Also reject this and their 11 other held items' })
    await expect(dialog.getByRole('button', { name: 'Ban user' })).toBeVisible()
    await withOthers.check()
    await expect(dialog.getByRole('button', { name: 'Ban and reject 12' })).toBeVisible()
    await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(12)

    await dialog.getByRole('radio').first().focus()
    await page.keyboard.press('3')
    await expect(dialog.getByRole('radio', { name: '1 week' })).toBeChecked()
    await expect(dialog.getByRole('radio', { name: '1 week' })).toBeFocused()
  })

  test('what an item said before its author changed it is one key away', async ({ page, desk }) => {
    const [first] = desk.held
    const author = ctxOf(desk.database, asUser(first?.userId ?? ''), { source: 'rest' })
    await editComment(author, { commentId: first?.commentId ?? '', data: { text: 'Quite another text' } })
    await openQueue(page, desk)
    await expect(page.getByText('One earlier text is kept.')).toBeVisible()
    await page.keyboard.press('h')
    const earlier = page.getByRole('dialog', { name: 'Earlier texts' })
    await expect(earlier).toContainText(first?.text ?? '')
    await page.keyboard.press('Escape')
    await expect(earlier).toBeHidden()
  })

  test('a mute for one day takes three keys, at the item and on the person’s page, and is undone with a fourth', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const userId = await authorOf(desk, 0)
    const mutesOf = () => desk.database.prisma.mute.findMany({ where: { userId }, orderBy: { muteId: 'asc' } })
    const muteForADay = async () => {
      await page.keyboard.press('Shift+B')
      await expect(page.getByRole('radio', { name: '1 hour' })).toBeFocused()
      await page.keyboard.press('2')
      await page.keyboard.press('Enter')
    }
    await muteForADay()
    const said = `Muted Author first in ${desk.community.displayName}, for 1 day.`
    await expect(page.getByRole('region', { name: 'Last action' })).toContainText(said)
    const context = page.getByRole('complementary', { name: 'Context' })
    await expect(context).toContainText(`Muted in ${desk.community.displayName}:`)
    expect(await mutesOf()).toMatchObject([{ communityId: desk.community.communityId, liftedAt: null }])
    await page.keyboard.press('u')
    await expect
      .poll(async () => (await mutesOf())[0]?.liftedAt, { message: 'waited until the mute has ended' })
      .toBeTruthy()

    await page.goto(`${desk.url}/users/${userId}`)
    await expect(page.getByRole('button', { name: 'Mute…' })).toBeVisible()
    await muteForADay()
    await expect(page.getByRole('status')).toContainText(said)
    expect(await mutesOf()).toMatchObject([{}, { liftedAt: null }])
  })

  test('keys pressed before the ban dialog has loaded go to the dialog only', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const release = await hold(page, '**/_next/**/*.js')
    await page.keyboard.press('b')
    await page.keyboard.press('3')
    await page.keyboard.press('Enter')
    release()
    await expect(page.getByRole('region', { name: 'Last action' })).toContainText('for 1 week.')
    expect(await bansOf(desk, 0)).toHaveLength(1)
    expect(await desk.stateOf(idOf(desk, 0))).toBe('pending')
  })

  test('a ban rejects the item in front and the author’s others in one act, which one undo restores', async ({
    page,
    desk,
  }) => {
    const others = await moreOf(desk, 0, 2)
    const all = [idOf(desk, 0), ...others]
    await openQueue(page, desk)
    await row(page, desk, 0).focus()
    await page.keyboard.press('b')
    await page.keyboard.press('5')
    const dialog = page.getByRole('dialog', { name: 'Ban Author first' })
    await dialog.getByRole('checkbox', { name: 'Also reject this and their 2 other held items' }).focus()
    await page.keyboard.press('Space')
    const listed = dialog.getByRole('list', { name: 'This item and others' }).getByRole('listitem')
    await expect(listed).toHaveText([new RegExp(textOf(desk, 0)), /Another one/, /Another one/])
    await page.keyboard.press('Enter')

    await expect(page.getByRole('region', { name: 'Last action' })).toContainText('Rejected 3 items.')
    await expect(row(page, desk, 1)).toBeFocused()
    expect(await Promise.all(all.map(desk.stateOf))).toEqual(['rejected', 'rejected', 'rejected'])
    await page.keyboard.press('u')
    await expect
      .poll(() => Promise.all(all.map(desk.stateOf)), { message: 'waited until the items are pending again' })
      .toEqual(['pending', 'pending', 'pending'])
    await expect(row(page, desk, 0)).toBeFocused()
    await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('2 other items')

    // The next ban remembers the box: b, a number and Enter.
    for (const key of ['b', '1', 'Enter']) await page.keyboard.press(key)
    await expect(page.getByRole('region', { name: 'Last action' })).toContainText('Rejected 3 items.')
  })

  test('an escalated item leaves the list, and undo returns it', { tag: '@stress' }, async ({ page, desk }) => {
    const colleague = await desk.account('moderator')
    await openQueue(page, desk)
    await page.keyboard.press('e')
    await page.keyboard.type('Is this a threat?')
    await expect(page.getByRole('dialog', { name: 'Escalate this item by Author first' })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.type(colleague.name)
    await expect(page.getByRole('option', { name: colleague.name })).toBeVisible()
    // The list from before the name was typed contains them too.
    await expect(page.getByRole('option', { name: 'Person ' })).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')

    await expect(page.getByRole('status')).toHaveText(`Escalated to ${colleague.name}: Author first`)
    await expect(row(page, desk, 0)).toBeHidden()
    await expect(row(page, desk, 1)).toBeFocused()
    // Items that left don't count as new.
    await expect(page.getByRole('search')).toContainText('7 held in')
    await expect(page.getByRole('button', { name: /\d new/ })).toHaveCount(0)
    await page.keyboard.press('u')
    await expect(row(page, desk, 0)).toBeVisible()
    await expect.poll(() => openEscalationsOf(desk, 0), { message: 'waited until it is not escalated' }).toEqual([])
  })

  test('an escalated item shows who escalated it, why and to whom, and can be reassigned and returned to the queue', {
    tag: '@stress',
  }, async ({ page, desk }) => {
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

  test('a note is shown with the author and can be deleted by the person who wrote it', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
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

  test('focus returns to the row even when the page behind a dialog becomes reachable late', {
    tag: '@stress',
  }, async ({ page, desk }) => {
    await page.addInitScript(keepUnreachable)
    await openQueue(page, desk)
    await page.keyboard.press('n')
    await page.keyboard.type('Warned about this on 3 May')
    await page.keyboard.press('Control+Enter')
    await expect(page.locator('main[data-was-kept]')).toBeAttached()
    await expect(row(page, desk, 0)).toBeFocused()
  })

  test('a skipped item stays hidden until skipped items are shown again', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
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

  test('reversing an approval records a new, final rejection with its reason', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { name } = await desk.decideElsewhere(idOf(desk, 0), 'approved')
    await openQueue(page, desk, `&item=comment:${idOf(desk, 0)}`)
    await expect(page.getByRole('article')).toContainText(`${name} approved this`)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reverse the approval of the item by Author first' })
    await expect(dialog).toContainText('a new decision')
    await expect(dialog).toContainText('It becomes final after 10 seconds.')
    await page.keyboard.type('Passed by mistake')
    await page.keyboard.press('Control+Enter')

    await expect(page.getByRole('article')).toContainText('rejected this')
    await expect(page.getByRole('article')).toContainText('Rejections are final.')
    await expect
      .poll(() => decisionsOf(desk, 0), { message: 'waited until the reversal is recorded' })
      .toMatchObject([
        { outcome: 'approved', isReversal: false },
        { outcome: 'rejected', isReversal: true, reason: 'Passed by mistake' },
      ])
    expect(await desk.stateOf(idOf(desk, 0))).toBe('rejected')
    await page.keyboard.press('u')
    await expect
      .poll(() => desk.stateOf(idOf(desk, 0)), { message: 'waited until the reversal is undone' })
      .toBe('approved')
  })

  test('the thread opens around the item, and Escape returns focus to the row', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
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
  test('is kept after a failed request, an earlier decision by a colleague and Escape', async ({ page, desk }) => {
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
    await expect(dialog.getByRole('alert')).toContainText('Somebody decided on this or escalated it first')
    expect(await desk.stateOf(idOf(desk, 1))).toBe('pending')
  })

  test('is kept in its dialog when the session ends before it is sent', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    const cookies = await page.context().cookies()
    await page.keyboard.press('e')
    await page.keyboard.type('Same person as last week')
    await page.context().clearCookies()
    await page.keyboard.press('Control+Enter')
    await expect(page).toHaveURL(/sign-in/)
    await page.context().addCookies(cookies)
    await expect(page.getByText('Your text is saved')).toBeVisible()
    // The same dialog is open again, as after signing in.
    await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'What should' })).toHaveValue(
      'Same person as last week',
    )
  })

  test('can be saved as a note when a colleague decided first', { tag: '@stress' }, async ({ page, desk }) => {
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

test('images are hidden, load only on request and appear greyscale and blurred first', { tag: '@stress' }, async ({
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

test('shows past decisions on the same text', { tag: '@stress' }, async ({ page, desk }) => {
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

/** Runs in the page: what React Aria is about to focus becomes reachable only some frames later. */
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
  desk.database.prisma.reviewItem.findMany({
    where: { subjectId: idOf(desk, index), kind: 'held', state: 'waiting', escalatedAt: { not: null } },
  })

/** Held longer than all others, so that the first row doesn't change. */
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
