import type { Page } from '@playwright/test'
import pg from 'pg'
import { factoriesOf } from '#server/testing/factories.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { expectNoFindings, windows } from './axe.ts'
import { hold, idOf, queueOf, row } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

/** As many as a bulk action may include, and more that match. */
const CHOSEN = IS_STRESS ? 1_000 : 150
const MORE = IS_STRESS ? 3 : 0
const CAN_BE_DECIDED = CHOSEN - 7
const chosen = CHOSEN.toLocaleString('en')

test(`a bulk action lists items it cannot include, processes the other ${CAN_BE_DECIDED} and undoes all of them`, {
  tag: '@scaled',
}, async ({ page, desk }) => {
  const { name } = await desk.signIn(page, 'moderator')
  const held = await manyHeld(desk, CHOSEN + MORE - desk.held.length - 3)
  await ownHeld(desk, name, 3)
  await page.goto(queueOf(desk))
  await expect(page.getByRole('heading', { level: 1, name: 'Held' })).toBeVisible()

  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await expect(bar).toContainText(`${chosen} selected`)
  if (MORE > 0) await expect(bar).toContainText(`More items match; these are the newest ${chosen}.`)
  await expect(bar).toContainText('You can’t decide 3 of them.')
  await edit(desk, held.slice(0, 2))
  await withdraw(desk, held.slice(2, 4))

  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: `Approve ${chosen}` })
  await expect(dialog).toContainText(`${CAN_BE_DECIDED} items will be approved and published. 7 can’t be:`)
  const exceptions = dialog.getByRole('region', { name: 'Items that can’t be included' })
  await expect(exceptions.getByRole('region', { name: 'you wrote them yourself' }).getByRole('listitem')).toHaveCount(3)
  await expect(
    exceptions.getByRole('region', { name: 'changed since you selected them' }).getByRole('listitem'),
  ).toHaveCount(4)
  await expect(
    dialog.getByRole('region', { name: `${CAN_BE_DECIDED} items to approve` }).getByRole('listitem'),
  ).toHaveCount(CAN_BE_DECIDED)
  expect(await statesOf(desk)).toEqual({ pending: CHOSEN + MORE })

  const goOn = await hold(page, '**/api/trpc/bulk.work**')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const toast = page.getByRole('region', { name: 'Bulk action' })
  await expect(toast.getByRole('progressbar', { name: 'Bulk action progress' })).toBeVisible()
  goOn()
  await expect(toast).toContainText('Undo (')
  await expect(toast).toContainText(`Approved ${CAN_BE_DECIDED} of ${chosen}`)
  await expect(toast).toContainText('7 items weren’t changed:')
  await expect(toast.getByRole('region', { name: 'you wrote them yourself' }).getByRole('listitem')).toHaveCount(3)
  expect(await statesOf(desk)).toEqual({ approved: CAN_BE_DECIDED, pending: MORE + 7 })

  const goBack = await hold(page, '**/api/trpc/bulk.work**')
  await page.keyboard.press('u')
  await expect(toast.getByRole('progressbar', { name: 'Undo progress' })).toBeVisible()
  goBack()
  await expect(toast).toContainText(`Undone: ${CAN_BE_DECIDED}`)
  expect(await statesOf(desk)).toEqual({ pending: CHOSEN + MORE })
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await eventStatesOf(desk)).toEqual({ cancelled: CAN_BE_DECIDED })
})

test('loads all rows below decided ones even when they arrive faster than they render', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const count = IS_STRESS ? 300 : 150
  await manyHeld(desk, count - desk.held.length)
  await openQueue(page, desk)
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0
  })
  await beginAll(page, count)
  await expect(page.getByRole('heading', { name: `Nothing to review in ${desk.community.displayName}` })).toBeVisible()
})

/** Several steps of a bulk action. */
const BULK = IS_STRESS ? 600 : 175

/** Keeps a bulk action on everything pending from finishing until the returned function is called: its last item, by id, is locked. */
async function holdLast({ community }: Desk): Promise<() => Promise<void>> {
  const client = new pg.Client(process.env.DESK_DATABASE_URL)
  await client.connect()
  await client.query('begin')
  await client.query(
    `select from comment where comment_id = (
       select comment_id from comment where community_id = $1 and approval_status = 'pending' order by comment_id collate "C" desc limit 1) for update`,
    [community.communityId],
  )
  return () => client.end()
}

test('a bulk action that was undone before a window was opened is not announced there', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { email } = await desk.signIn(page, 'moderator')
  const { prisma } = desk.database
  const { networkUserId } = await prisma.staffAccount.findFirstOrThrow({ where: { email } })
  const at = new Date(Date.now() - 120_000)
  const items = desk.held.slice(0, 2).map(({ commentId }, position) => ({
    ...{ position, subjectType: 'comment' as const, subjectId: commentId, version: 1, state: 'undone' as const },
  }))
  await prisma.bulk.create({
    data: {
      ...{ bulkId: `undone-${email}`, madeBy: networkUserId ?? '', madeByName: 'Some one', outcome: 'rejected' },
      ...{ createdAt: at, workedAt: at, finishedAt: at, undoneAt: at, items: { create: items } },
    },
  })
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByRole('option').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Bulk action' })).toHaveCount(0)
  await expect(page.getByText('Undone')).toHaveCount(0)
})

test.describe('when the connection is lost', { tag: '@scaled' }, () => {
  test('the server finishes the bulk action, and the desk shows the result after reconnecting', async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    await manyHeld(desk, BULK - desk.held.length)
    await openQueue(page, desk)
    await page.route('**/api/trpc/bulk.work**', (route) => route.abort())
    await beginAll(page, BULK)
    await page.context().setOffline(true)
    const toast = page.getByRole('region', { name: 'Bulk action' })
    await expect(toast).toContainText('Connection lost. This continues on the server')
    await expect(toast).toContainText(`of ${BULK}`)
    await expect.poll(() => approvedIn(desk), { message: 'waited until the server has approved all' }).toBe(BULK)
    await page.unroute('**/api/trpc/bulk.work**')
    await page.context().setOffline(false)
    await expect(toast).toContainText(`Approved ${BULK} of ${BULK}`)
    await expect(
      page.getByRole('heading', { name: `Nothing to review in ${desk.community.displayName}` }),
    ).toBeVisible()
  })

  test('reopening the desk shows the progress or the result of the bulk action', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    await manyHeld(desk, BULK - desk.held.length)
    await openQueue(page, desk)
    const release = await holdLast(desk)
    await beginAll(page, BULK)
    await expect.poll(() => approvedIn(desk), { message: 'waited until some are approved' }).toBeGreaterThan(0)
    await page.close()

    const again = await page.context().newPage()
    await again.goto(queueOf(desk))
    const toast = again.getByRole('region', { name: 'Bulk action' })
    await expect(toast.getByRole('progressbar', { name: 'Bulk action progress' })).toBeVisible()
    await release()
    await expect(toast).toContainText(`Approved ${BULK} of ${BULK}`)
    await again.keyboard.press('u')
    await expect(toast).toContainText(`Undone: ${BULK}`)
    expect(await approvedIn(desk)).toBe(0)
    await again.reload()
    await expect(again.getByRole('option').first()).toBeVisible()
    await expect(toast).toHaveCount(0)
  })
})

test.describe('selecting by keyboard', () => {
  test('x selects one item, Shift with a move selects a range and Escape clears the selection', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const status = page.getByRole('status')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(status).toHaveText('1 selected')
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(status).toHaveText('3 selected')
    await expect(row(page, desk, 3)).toBeFocused()
    await page.keyboard.press('Shift+K')
    await expect(status).toHaveText('2 selected')
    await expectChosen(page, [1, 2])
    await expect(page.getByRole('listbox')).toHaveAttribute('aria-multiselectable', 'true')
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('2 selected')

    await page.keyboard.press('Escape')
    await expect(status).toHaveText('Nothing selected')
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toBeHidden()
    await expect(row(page, desk, 2)).toHaveAttribute('aria-selected', 'true')
  })

  test('selecting does not move the list', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    const boxesOf = () =>
      page.getByRole('option').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    const before = await boxesOf()
    await page.keyboard.press('x')
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toBeVisible()
    expect(await boxesOf()).toEqual(before)
  })

  test('rejects several items with a reason in three keys and undoes all with one', async ({ page, desk }) => {
    await openQueue(page, desk)
    await chooseFirst(page, 3)
    await page.keyboard.press('r')
    // Pressed at once: the key counts although the dialog and its reasons are still loading.
    await page.keyboard.press('1')
    const dialog = page.getByRole('dialog', { name: 'Reject 3' })
    await expect(dialog).toContainText('3 items will be rejected and deleted.')
    await expect(dialog.getByRole('radio', { name: 'Spam or scams' })).toBeChecked()
    await page.keyboard.press('Enter')

    const toast = page.getByRole('region', { name: 'Bulk action' })
    await expect(toast).toContainText('Rejected 3 of 3')
    await expect(row(page, desk, 3)).toBeFocused()
    const decided = await desk.database.prisma.decision.findMany({
      where: { communityId: desk.community.communityId },
    })
    expect(decided.map(({ reason, outcome }) => `${outcome}: ${reason}`)).toEqual(
      Array(3).fill('rejected: Spam or scams'),
    )
    await page.keyboard.press('u')
    await expect(toast).toContainText('Undone: 3')
    await expect(row(page, desk, 0)).toBeVisible()
    expect(await statesOf(desk)).toEqual({ pending: 8 })

    // The result appears once, not on each load.
    await page.reload()
    await expect(row(page, desk, 0)).toBeVisible()
    await expect(toast).toHaveCount(0)
  })

  test('a key pressed the moment the dialog takes over from the page is not lost', async ({ page, desk }) => {
    await openQueue(page, desk)
    await chooseFirst(page, 2)
    await pressWhenReleased(page, '2')
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog', { name: 'Reject 2' }).getByRole('radio').nth(1)).toBeChecked()
  })

  test('saves a custom reason with the bulk action and keeps it when the request fails', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await chooseFirst(page, 2)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject 2' })
    await expect(dialog).toContainText('2 items will be rejected and deleted.')
    await dialog.getByRole('textbox').fill('A wave of it')
    await page.route('**/api/trpc/bulk.start**', (route) => route.abort())
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByRole('alert')).toContainText('Couldn’t reach the server.')
    await page.unroute('**/api/trpc/bulk.start**')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('Rejected 2 of 2')
    const { communityId } = desk.community
    expect(await desk.database.prisma.decision.count({ where: { communityId, reason: 'A wave of it' } })).toBe(2)
  })

  test('keys pressed before all matches are loaded apply to the bulk action only', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const release = await hold(page, '**/api/trpc/bulk.preview**')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('a')
    release()
    await expect(page.getByRole('dialog', { name: 'Approve 8' })).toContainText(
      '8 items will be approved and published.',
    )
    await page.keyboard.press('Escape')
    expect(await statesOf(desk)).toEqual({ pending: 8 })
  })

  test('selects only matching items and clears the selection when the filter changes', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk, '&text=third')
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('1 selected')
    await page
      .getByRole('search')
      .getByRole('button', { name: /^Remove .*third/ })
      .click()
    await expect(page.getByRole('option')).toHaveCount(8)
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toBeHidden()
  })

  test('escalated items can be decided in bulk, and undo escalates them again', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    for (const note of ['One', 'Two']) {
      await page.keyboard.press('e')
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.type(note)
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.goto(queueOf(desk, '&view=escalated'))
    await expect(page.getByRole('option')).toHaveCount(2)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toContainText('2 items will be approved and published.')
    await page.keyboard.press('Enter')
    const toast = page.getByRole('region', { name: 'Bulk action' })
    await expect(toast).toContainText('Approved 2 of 2')
    await page.keyboard.press('u')
    await expect(toast).toContainText('Undone: 2')
    await expect(page.getByRole('option')).toHaveCount(2)
  })
})

test.describe('when others act at the same time', () => {
  test('an item decided by someone else leaves the selection with a notice', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await chooseFirst(page, 3)
    await desk.decideElsewhere(idOf(desk, 0), 'approved')
    const bar = page.getByRole('toolbar', { name: 'Selected items' })
    await expect(bar).toContainText('2 selected')
    await expect(bar).toContainText('1 is no longer selected: already decided or moved.')
    await expect(page.getByRole('status')).toHaveText('1 is no longer selected: already decided or moved.')
  })

  test('an item decided during the preview is left out and listed with who decided it', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await chooseFirst(page, 3)
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toContainText('3 items will be approved and published.')
    const colleague = await desk.decideElsewhere(idOf(desk, 1), 'rejected')
    await page.keyboard.press('Enter')

    const toast = page.getByRole('region', { name: 'Bulk action' })
    await expect(toast).toContainText('Approved 2 of 3')
    const left = toast.getByRole('region', { name: `${colleague.name} already rejected it` })
    await expect(left.getByRole('listitem')).toHaveText(/Author second/)
    await expect(page.getByRole('status')).toContainText('1 item wasn’t changed.')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await expect(page.getByRole('option')).toHaveCount(5)
    await expect(toast).toBeHidden()
  })

  test('undo reverts a later decision first and then the bulk action', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await chooseFirst(page, 2)
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toContainText('2 items will be approved and published.')
    await page.keyboard.press('Enter')
    await expect(row(page, desk, 2)).toBeFocused()
    await expect(page.getByRole('status')).toContainText('Approved 2.')
    await page.keyboard.press('r')
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone: Author third')
    await page.keyboard.press('u')
    await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('Undone: 2')
    expect(await statesOf(desk)).toEqual({ pending: 8 })
  })
})

test.describe('with the pointer', () => {
  test('Control-click selects one, Shift-click a range and a click on the margin one', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await row(page, desk, 1).click({ modifiers: ['Control'] })
    await row(page, desk, 3).click({ modifiers: ['Shift'] })
    await expectChosen(page, [1, 2, 3])
    await row(page, desk, 5).click({ position: { x: 8, y: 30 } })
    await expectChosen(page, [1, 2, 3, 5])
    await row(page, desk, 6).click()
    await expect(page.getByRole('article')).toContainText(desk.held[6]?.text ?? 'nothing')
    await expectChosen(page, [1, 2, 3, 5])
    await page.getByRole('button', { name: 'Approve 4' }).click()
    await expect(page.getByRole('dialog')).toContainText('4 items will be approved and published.')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toBeHidden()
  })

  test.describe('on touch screens', () => {
    test.use({ viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true })

    test('a tap selects once selection mode is on', { tag: '@stress' }, async ({ page, desk }) => {
      await openQueue(page, desk)
      await page.getByRole('button', { name: 'Select several' }).tap()
      await row(page, desk, 0).tap()
      await row(page, desk, 2).tap()
      await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('2 selected')
      await page.getByRole('button', { name: 'Reject 2' }).tap()
      await expect(page.getByRole('dialog', { name: 'Reject 2' })).toContainText(
        '2 items will be rejected and deleted.',
      )
    })
  })
})

for (const size of windows(320)) {
  test(`selection, preview, progress and result have no axe findings at ${size.width} × ${size.height}`, {
    tag: '@stress',
  }, async ({ page, desk }) => {
    await page.setViewportSize(size)
    const { name } = await desk.signIn(page, 'moderator')
    await ownHeld(desk, name, 1)
    await page.goto(queueOf(desk))

    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('9 selected')
    await expectNoFindings(page)
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog')).toContainText('8 items will be rejected and deleted. 1 can’t be:')
    await expectNoFindings(page)

    await page.route('**/api/trpc/bulk.work**', (route) => route.abort())
    await page.keyboard.press('Enter')
    const toast = page.getByRole('region', { name: 'Bulk action' })
    await expect(toast.getByRole('progressbar')).toBeVisible()
    await expect(toast).toContainText('Connection lost.')
    await expectNoFindings(page)
    await page.unroute('**/api/trpc/bulk.work**')
    await expect(toast).toContainText('1 item wasn’t changed:')
    await expect(toast.getByRole('listitem')).toHaveCount(1)
    await expectNoFindings(page)
  })
}

async function openQueue(page: Page, desk: Desk, more = ''): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk, more))
  await expect(page.getByRole('option').first()).toBeVisible()
}

/** Selects the first `count` rows with the keyboard. */
async function chooseFirst(page: Page, count: number): Promise<void> {
  await page.keyboard.press('x')
  for (let more = 1; more < count; more += 1) await page.keyboard.press('Shift+J')
  await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText(`${count} selected`)
}

/** Presses a key as soon as the page no longer buffers keys for a dialog that is loading. */
async function pressWhenReleased(page: Page, key: string): Promise<void> {
  await page.evaluate((key) => {
    const { removeEventListener } = window
    window.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      removeEventListener.apply(window, args)
      if (args[0] !== 'keydown') return
      window.removeEventListener = removeEventListener
      queueMicrotask(() =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })),
      )
    }
  }, key)
}

async function beginAll(page: Page, count: number): Promise<void> {
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText(`${count} selected`)
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog')).toContainText(`${count} items will be approved and published.`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Expects the rows at these positions, and no others, to be selected. */
async function expectChosen(page: Page, positions: number[]): Promise<void> {
  const chosen = () =>
    page
      .getByRole('option')
      .evaluateAll((all) => all.flatMap((one, index) => (one.ariaSelected === 'true' ? [index] : [])))
  await expect.poll(chosen, { message: 'waited until these rows are selected' }).toEqual(positions)
}

/** Adds `count` pending comments to the desk's community, newer than the others. */
async function manyHeld(desk: Desk, count: number): Promise<string[]> {
  const { communityId } = desk.community
  const { userId } = await factoriesOf(desk.database).user({ displayName: 'Author of many' })
  const held = Array.from({ length: count }, (_, index) => ({
    ...{ commentId: `${communityId}-${index + 1}`, communityId, targetType: 'community' as const, userId },
    ...{ approvalStatus: 'pending' as const, data: { text: `Wave ${index + 1}` }, queuedAt: new Date() },
  }))
  await desk.database.prisma.comment.createMany({ data: held })
  return held.map(({ commentId }) => commentId)
}

/** Adds `count` pending comments written by the signed-in person. */
async function ownHeld(desk: Desk, name: string, count: number): Promise<void> {
  const { communityId } = desk.community
  const { networkUserId } = await desk.database.prisma.staffAccount.findFirstOrThrow({ where: { name } })
  const make = factoriesOf(desk.database)
  for (let index = 0; index < count; index += 1) {
    await make.heldComment({
      communityId,
      userId: networkUserId,
      data: { text: `My own ${index}` },
      queuedAt: new Date(),
    })
  }
}

async function edit(desk: Desk, ids: string[]): Promise<void> {
  await desk.database.prisma.comment.updateMany({
    where: { commentId: { in: ids } },
    data: { version: { increment: 1 } },
  })
}

async function withdraw(desk: Desk, ids: string[]): Promise<void> {
  await desk.database.prisma.comment.updateMany({ where: { commentId: { in: ids } }, data: { isDeleted: true } })
}

/** The number of comments of the desk's community by state, without the parent comment they all reply to. */
async function statesOf(desk: Desk): Promise<Record<string, number>> {
  const groups = await desk.database.prisma.comment.groupBy({
    by: ['approvalStatus'],
    where: {
      communityId: desk.community.communityId,
      queuedAt: { not: null },
      data: { path: ['text'], not: 'Is the lower road open again?' },
    },
    _count: true,
  })
  return Object.fromEntries(groups.map(({ approvalStatus, _count }) => [approvalStatus, _count]))
}

const approvedIn = async (desk: Desk) => (await statesOf(desk)).approved ?? 0

/** The events of the approvals by state. */
async function eventStatesOf(desk: Desk): Promise<Record<string, number>> {
  const groups = await desk.database.prisma.event.groupBy({
    by: ['state'],
    where: { name: 'v3.comment.didApprove', communityId: desk.community.communityId },
    _count: true,
  })
  return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]))
}
