import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page, Request, Route } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { expectNoFindings } from './axe.ts'
import { idOf, queueOf, row, textOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test.describe('changes by others appear immediately', () => {
  test('an item decided by a colleague leaves the list, but the open one stays and shows who decided it', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await desk.decideElsewhere(idOf(desk, 2), 'approved')
    await expect(row(page, desk, 2)).toBeHidden()
    await expect(page.getByRole('search')).toContainText('7 held in')

    const { name } = await desk.decideElsewhere(idOf(desk, 0), 'rejected')
    await expect(page.getByRole('article').getByText(`${name} rejected this`)).toBeVisible()
    await expect(row(page, desk, 0)).toBeVisible()
    await expect(page.getByRole('status')).toContainText(`${name} rejected this`)
    await expect(page.getByRole('status')).toContainText('There’s nothing left to decide here.')
    await page.getByRole('button', { name: 'Next item' }).click()
    await expect(row(page, desk, 0)).toBeHidden()
    await expect(row(page, desk, 1)).toBeFocused()
    expect(await page.getByRole('option').allTextContents()).toHaveLength(6)
    await expect(page.getByRole('button', { name: /\d new/ })).toHaveCount(0)
  })

  test('an item that is read while its decision is being undone is not announced as decided, and can be decided again', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const said = await statusesOf(page)
    await page.keyboard.press('a')
    await expect(row(page, desk, 1)).toBeFocused()
    await expectStates(desk, ['approved'])

    const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/trpc/review.undo**', async (route) => {
      sent.resolve()
      await released.promise
      await route.continue()
    })
    await page.keyboard.press('u')
    await sent.promise
    const isRead = page.waitForResponse((response) => {
      const url = decodeURIComponent(response.url())
      return url.includes('review.item') && url.includes(idOf(desk, 0))
    })
    await happen(desk, 'desk.comment.didEdit', idOf(desk, 0))
    await isRead
    // It can be decided again already.
    await page.keyboard.press('r')
    await expect(row(page, desk, 1)).toBeFocused()
    released.resolve()
    await expectStates(desk, ['rejected'])
    await expect(page.getByRole('status')).toHaveText(/^Rejected: Author first/)
    expect((await said()).filter((words) => words.includes('approved this'))).toEqual([])
  })

  test('items removed above the visible rows do not move them', async ({ page, desk }) => {
    for (let index = 0; index < 30; index += 1) await holdOne(desk, `Comment ${index}`)
    await openQueue(page, desk)
    const list = page.getByRole('listbox')
    await list.hover()
    await page.evaluate(() => {
      const hasScrolled = new Promise((resolve) => document.addEventListener('scrollend', resolve, { capture: true }))
      Object.assign(window, { hasScrolled: hasScrolled.then(() => true) })
    })
    await page.mouse.wheel(0, 1_800)
    await page.evaluate(() => (window as unknown as { hasScrolled: Promise<true> }).hasScrolled)
    const seen = row(page, desk, 0)
    await expect(seen).toBeInViewport()
    const before = await seen.boundingBox()
    expect(before?.y).toBeGreaterThan(0)
    const { commentId } = await desk.database.prisma.comment.findFirstOrThrow({
      where: {
        communityId: desk.community.communityId,
        approvalStatus: 'pending',
        data: { equals: { text: 'Comment 20' } },
      },
    })

    await desk.decideElsewhere(commentId, 'approved')
    await expect(page.getByRole('search')).toContainText('37 held in')
    await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', '37')
    expect(await seen.boundingBox()).toEqual(before)
  })

  test('new items and items returned by undo wait behind a button', async ({ page, desk }) => {
    await openQueue(page, desk)
    const { subject, undo } = await decideAndUndo(desk, idOf(desk, 4))
    await expect(row(page, desk, 4)).toBeHidden()
    await undo()
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
    await holdOne(desk, 'The newest comment of all.')
    await expect(page.getByRole('button', { name: '2 new' })).toBeVisible()
    await expect(page.getByRole('option')).toHaveCount(7)

    await page.getByRole('button', { name: '2 new' }).click()
    await expect(page.getByRole('option').first()).toContainText('The newest comment of all.')
    await expect(row(page, desk, 4)).toBeVisible()
    await expect(page.getByRole('button', { name: /new$/ })).toBeHidden()
    expect(subject.subjectId).toBe(idOf(desk, 4))
  })

  test('an item edited by its author updates in its row', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    const { commentId } = desk.held[1] ?? { commentId: '' }
    await desk.database.prisma.comment.update({
      where: { commentId },
      data: { data: { text: 'Other words.' }, version: 2 },
    })
    await happen(desk, 'desk.comment.didEdit', commentId)
    await expect(page.getByRole('option').nth(1)).toContainText('Other words.')
  })

  test('shows who is looking at an item at its row and under its text, which stays in its place, until they leave', {
    tag: '@scaled',
  }, async ({ page, desk, browser }) => {
    const me = await openQueue(page, desk)
    const other = await anotherBrowser(browser, desk)
    await expect(row(other.page, desk, 0).getByRole('img', { name: `${me.name} is looking at this` })).toBeVisible()
    await expect(other.page.getByText(`${me.name} is looking at this.`)).toBeVisible()
    await expect(row(page, desk, 0).getByTitle('You are looking at this')).toBeVisible()
    await expectNoFindings(other.page)
    const text = other.page.getByRole('article').getByText(textOf(desk, 0))
    const place = await text.boundingBox()
    expect(place).not.toBeNull()

    await page.keyboard.press('j')
    // The person who was waiting for the lease holds it now.
    await expect(row(page, desk, 0).getByRole('img', { name: `${other.name} is looking at this` })).toBeVisible()
    await expect(other.page.getByText(`${me.name} is looking at this.`)).toBeHidden()
    expect(await text.boundingBox()).toEqual(place)
    await other.page.context().close()
  })
})

test.describe('two people on one item', () => {
  const ROUNDS = IS_STRESS ? scaled(20) : 4
  test(`when two people decide at once, ${ROUNDS} times, one wins and the other sees who did what`, {
    tag: '@scaled',
  }, async ({ page, desk, browser }) => {
    for (let index = desk.held.length; index < ROUNDS; index += 1) await holdOne(desk, `Comment ${index}`)
    const one = { page, ...(await openQueue(page, desk)) }
    const two = await anotherBrowser(browser, desk)
    await sendTogether(one.page, two.page)

    for (let round = 1; round <= ROUNDS; round += 1) {
      const item = (await currentOf(one.page).getAttribute('id')) ?? ''
      await expect(currentOf(two.page)).toHaveId(item)
      const [approver, rejecter] = round % 2 ? [one, two] : [two, one]
      await decideAtOnce(desk, round, approver, rejecter)
      if (round === ROUNDS) break
      for (const { page } of [one, two]) await expect(currentOf(page)).not.toHaveId(item)
    }

    const decided = new Set((await decisionsOf(desk)).map(({ subjectId }) => subjectId))
    expect(decided.size).toBe(ROUNDS)
    await two.page.context().close()
  })
})

test.describe('one event stream per browser', () => {
  /** In full more than the connections that a browser opens to one host: a stream for each tab would use them up. */
  const TABS = IS_STRESS ? 8 : 4
  test(`${TABS} tabs share one stream, and another tab takes over when its owner closes`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const context = page.context()
    const streams: Request[] = []
    context.on('request', (request) => {
      if (request.url().includes('/api/trpc/live.events')) streams.push(request)
    })
    await openQueue(page, desk)
    const tabs = [page]
    while (tabs.length < TABS) {
      const tab = await context.newPage()
      await tab.goto(queueOf(desk))
      tabs.push(tab)
    }
    for (const tab of tabs) await expect(tab.getByText('Live', { exact: true })).toBeVisible()
    expect(streams).toHaveLength(1)

    await desk.decideElsewhere(idOf(desk, 3), 'approved')
    for (const tab of tabs) await expect(row(tab, desk, 3)).toBeHidden()

    await page.close()
    await desk.decideElsewhere(idOf(desk, 4), 'approved')
    for (const tab of tabs.slice(1)) await expect(row(tab, desk, 4)).toBeHidden()
    expect(streams).toHaveLength(2)
  })

  test('when the account is disabled, every tab goes to the sign-in page', async ({ page, desk }) => {
    const { email } = await openQueue(page, desk)
    const tab = await page.context().newPage()
    await tab.goto(queueOf(desk))
    await desk.database.prisma.staffAccount.update({ where: { email }, data: { isDisabled: true } })
    await expect(page).toHaveURL(/\/sign-in\?ended=1/)
    await expect(tab).toHaveURL(/\/sign-in\?ended=1/)
  })
})

test.describe('offline', () => {
  test('offline decisions stay visible, are sent once and are reported where someone decided first', {
    tag: '@scaled',
  }, async ({ page, desk }) => {
    const me = await openQueue(page, desk)
    await page.context().setOffline(true)
    await expect(page.getByText(/^Offline since/).first()).toBeVisible()
    for (const key of ['a', 'r', 'a', 'a', 'r']) {
      await page.keyboard.press(key)
      if (IS_STRESS) await sleep(4_000)
    }
    const waiting = page.getByRole('region', { name: 'Unsent decisions' })
    await expect(waiting).toContainText('5 decisions will be sent when you’re back online.')
    await expect(waiting.getByRole('listitem')).toHaveCount(5)
    await expect(page.getByRole('article')).toContainText('Couldn’t load the conversation.')
    await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Couldn’t load the author')
    await expectNoFindings(page)
    const first = await desk.decideElsewhere(idOf(desk, 1), 'approved')
    const second = await desk.decideElsewhere(idOf(desk, 3), 'rejected')
    expect(await statesOf(desk, 5)).toEqual(['pending', 'approved', 'pending', 'rejected', 'pending'])

    await page.context().setOffline(false)
    await expect(page.getByText(`${first.name} approved the comment by Author second`)).toBeVisible()
    await expect(page.getByText(`${second.name} rejected the comment by Author fourth`)).toBeVisible()
    await expect(waiting).toBeHidden()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    // What failed to load while offline is loaded now.
    await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author sixth')
    expect(await statesOf(desk, 5)).toEqual(['approved', 'approved', 'approved', 'rejected', 'rejected'])
    expect(await decisionsBy(desk, me.name)).toBe(3)
  })

  test('an unsent decision can be undone before it is sent', { tag: '@stress' }, async ({ page, desk }) => {
    const me = await openQueue(page, desk)
    await page.context().setOffline(true)
    await page.keyboard.press('a')
    await page.keyboard.press('a')
    await page.keyboard.press('u')
    await expect(page.getByText('1 decision will be sent when you’re back online.')).toBeVisible()
    await expect(row(page, desk, 1)).toBeFocused()
    await page.keyboard.press('r')
    await page.context().setOffline(false)
    await expectStates(desk, ['approved', 'rejected'])
    expect(await decisionsBy(desk, me.name)).toBe(2)
  })

  test('an undo that the server answers with 503 is sent again, and ends undone', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.keyboard.press('a')
    await expectStates(desk, ['approved'])
    let sent = 0
    await page.route('**/api/trpc/review.undo**', async (route) => {
      sent += 1
      // The server carries it out, and a proxy before it answers.
      const response = await route.fetch()
      const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 }
      const refused = { error: { message: 'Unavailable', code: -32_603, data } }
      await (sent === 1 ? route.fulfill({ status: 503, json: refused }) : route.fulfill({ response }))
    })
    await page.keyboard.press('u')
    await expect.poll(() => sent, { message: 'waited until it is sent again' }).toBe(2)
    await expect(page.getByRole('status').filter({ hasText: 'Undone: Author first' })).toBeVisible()
    await expectStates(desk, ['pending'])
    await expect(page.getByText('Too late')).toBeHidden()
    await expect(row(page, desk, 0)).toBeVisible()
  })

  test('a decision is sent even when the page is left with the same key press', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const me = await openQueue(page, desk)
    await page.evaluate(() => {
      // The next item is never painted here.
      window.requestAnimationFrame = () => 0
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
      window.location.assign('about:blank')
    })
    await page.waitForURL('about:blank')
    await expectStates(desk, ['approved'])
    expect(await decisionsBy(desk, me.name)).toBe(1)
  })

  test('an unsent decision survives a reload and is applied once even if it had arrived', async ({ page, desk }) => {
    const me = await openQueue(page, desk)
    // The server carries out the call, and its response is lost.
    await page.route('**/api/trpc/review.decide**', async (route) => {
      await route.fetch()
      // The page may already be closed.
      await route.abort().catch(() => {})
    })
    await page.keyboard.press('a')
    await expect(page.getByText('1 decision will be sent when you’re back online.')).toBeVisible()
    await expectStates(desk, ['approved'])
    await page.reload()
    await expect(page.getByText('1 decision will be sent when you’re back online.')).toBeVisible()

    await page.unroute('**/api/trpc/review.decide**')
    await expect(page.getByText('1 decision will be sent')).toBeHidden()
    await expect(page.getByText('wasn’t counted')).toBeHidden()
    expect(await decisionsBy(desk, me.name)).toBe(1)
  })
})

/** Records every text of the live region from now on. */
async function statusesOf(page: Page): Promise<() => Promise<string[]>> {
  await page.getByRole('status').evaluate((region) => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver(() => said.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

async function openQueue(page: Page, desk: Desk) {
  const person = await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk))
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  return person
}

interface Person {
  page: Page
  name: string
}

async function anotherBrowser(browser: Browser, desk: Desk): Promise<Person> {
  const page = await (await browser.newContext()).newPage()
  return { page, ...(await openQueue(page, desk)) }
}

/** Holds the decisions of each page until the other one's is also on its way. */
async function sendTogether(...pages: Page[]): Promise<void> {
  let sent: Route[] = []
  for (const page of pages)
    await page.route('**/api/trpc/review.decide**', async (route) => {
      sent.push(route)
      if (sent.length < pages.length) return
      const both = sent
      sent = []
      await Promise.all(both.map((route) => route.continue()))
    })
}

/** Both decide on their current item. Expects that this was the desk's decision number `count`, and that the other one sees whose it was. */
async function decideAtOnce(desk: Desk, count: number, approver: Person, rejecter: Person): Promise<void> {
  await approver.page.keyboard.press('a')
  await rejecter.page.keyboard.press('r')
  await expect.poll(() => decisionsOf(desk), { message: 'waited until one decision is accepted' }).toHaveLength(count)
  const [decision] = await decisionsOf(desk)
  const [winner, loser] = decision?.outcome === 'approved' ? [approver, rejecter] : [rejecter, approver]
  expect(decision?.decidedByName).toBe(winner.name)

  const article = loser.page.getByRole('article')
  const message = article.getByText('wasn’t counted')
  await expect(message).toContainText(`${winner.name} ${decision?.outcome} the`)
  await article.getByRole('button', { name: 'Dismiss' }).click()
  await expect(message).toBeHidden()
}

const currentOf = (page: Page) => page.getByRole('option', { selected: true })

/** The decisions in the desk's community, latest first. */
function decisionsOf({ community: { communityId }, database }: Desk) {
  return database.prisma.decision.findMany({ where: { communityId }, orderBy: { decisionId: 'desc' } })
}

async function holdOne(desk: Desk, text: string): Promise<void> {
  const { communityId } = desk.community
  const { commentId } = await factoriesOf(desk.database).heldComment({ communityId, data: { text } })
  await happen(desk, 'desk.comment.didHold', commentId)
}

async function happen(desk: Desk, name: `desk.${string}`, commentId: string): Promise<void> {
  const { recordEvent } = await import('#server/modules/ledger/events/record-event.ts')
  const { systemCtx } = await import('#server/testing/ctx.ts')
  const { communityId } = desk.community
  const subject = { subjectType: 'comment', subjectId: commentId, communityId }
  await recordEvent(systemCtx(desk.database), { ...subject, name, payload: {}, isDeskOnly: true })
}

async function decideAndUndo(desk: Desk, commentId: string) {
  const { decide } = await import('#server/modules/review/decisions/decide.ts')
  const { undoDecision } = await import('#server/modules/review/decisions/undo-decision.ts')
  const { ctxOf } = await import('#server/testing/ctx.ts')
  const ctx = ctxOf(desk.database, await factoriesOf(desk.database).reviewerOf(desk.community.communityId))
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  const decided = await decide(ctx, { ...subject, outcome: 'approved' })
  return { subject, undo: () => undoDecision(ctx, decided) }
}

function decisionsBy(desk: Desk, decidedByName: string): Promise<number> {
  return desk.database.prisma.decision.count({ where: { decidedByName, undoneAt: null } })
}

/** The states of the first items. */
function statesOf(desk: Desk, count: number): Promise<(string | null)[]> {
  return Promise.all(desk.held.slice(0, count).map(({ commentId }) => desk.stateOf(commentId)))
}

async function expectStates(desk: Desk, states: string[]): Promise<void> {
  await expect
    .poll(() => statesOf(desk, states.length), { message: 'waited until the decisions have arrived' })
    .toEqual(states)
}
