import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page, Request } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, IN_TURNS, test } from './fixtures.ts'

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
    await expect.poll(() => statesOf(desk, 0)).toEqual(['approved'])

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
    expect((await said()).filter((words) => words.includes('approved this'))).toEqual([])
    // It can be decided again already.
    await page.keyboard.press('r')
    await expect(row(page, desk, 1)).toBeFocused()
    released.resolve()
    await expect.poll(() => statesOf(desk, 0)).toEqual(['rejected'])
    await expect(page.getByRole('status')).toHaveText(/^Rejected: Author first/)
  })

  test('items removed above the visible rows do not move them', async ({ page, desk }) => {
    for (let index = 0; index < 30; index += 1) await holdOne(desk, `Comment ${index}`)
    await openQueue(page, desk)
    const list = page.getByRole('listbox')
    await list.hover()
    await page.mouse.wheel(0, 1_800)
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

  test('an item edited by its author updates in its row', async ({ page, desk }) => {
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
    tag: '@stress',
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
  })
})

test.describe('two people on one item', () => {
  const ROUNDS = IS_STRESS ? scaled(20) : 10
  test(`when two people decide at once, ${ROUNDS} times, one wins and the other sees who did what`, {
    tag: '@stress',
  }, async ({ page, desk, browser }) => {
    test.setTimeout(60_000 + ROUNDS * 4_000)
    for (let index = desk.held.length; index < ROUNDS; index += 1) await holdOne(desk, `Comment ${index}`)
    const one = { page, ...(await openQueue(page, desk)) }
    const two = await anotherBrowser(browser, desk)
    const current = one.page.getByRole('option', { selected: true })
    let item = ''
    let overtaken = 0

    for (let round = 0; round < ROUNDS; round += 1) {
      // Who was first may not have rendered the next item yet.
      await expect(current).not.toHaveId(item)
      item = (await current.getAttribute('id')) ?? ''
      const at = Date.now() + 150
      const [ones, twos] = round % 2 ? (['a', 'r'] as const) : (['r', 'a'] as const)
      const loser = await Promise.any([
        decideAt(one.page, { item, key: ones, at }).then((message) => ({ message, winner: two, did: twos })),
        decideAt(two.page, { item, key: twos, at }).then((message) => ({ message, winner: one, did: ones })),
      ])
      expect(loser.message).toContain(`${loser.winner.name} ${loser.did === 'a' ? 'approved' : 'rejected'} th`)
      if (loser.message.includes('wasn’t counted')) overtaken += 1
      await loser.winner.page.evaluate((item) => document.dispatchEvent(new CustomEvent(item)), item)
    }

    const decisions = await desk.database.prisma.decision.groupBy({
      by: ['subjectId'],
      where: { communityId: desk.community.communityId },
      _count: true,
    })
    expect(decisions.map(({ _count }) => _count)).toEqual(Array(ROUNDS).fill(1))
    // The others received the decision before their own key was handled.
    expect(overtaken).toBeGreaterThan(ROUNDS / 4)
  })
})

test.describe('one event stream per browser', () => {
  /** In full more than the connections that a browser opens to one host: a stream for each tab would use them up. */
  const TABS = IS_STRESS ? 8 : 4
  test(`${TABS} tabs share one stream, and another tab takes over when its owner closes`, {
    tag: '@stress',
  }, async ({ page, desk }) => {
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
    tag: '@stress',
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
    expect(await statesOf(desk, 0, 1, 2, 3, 4)).toEqual(['pending', 'approved', 'pending', 'rejected', 'pending'])

    await page.context().setOffline(false)
    await expect(page.getByText(`${first.name} approved the comment by Author second`)).toBeVisible()
    await expect(page.getByText(`${second.name} rejected the comment by Author fourth`)).toBeVisible()
    await expect(waiting).toBeHidden()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    // What failed to load while offline is loaded now.
    await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author sixth')
    expect(await statesOf(desk, 0, 1, 2, 3, 4)).toEqual(['approved', 'approved', 'approved', 'rejected', 'rejected'])
    expect(await decisionsBy(desk, me.name)).toBe(3)
  })

  test('an unsent decision can be undone before it is sent', IN_TURNS, async ({ page, desk }) => {
    const me = await openQueue(page, desk)
    await page.context().setOffline(true)
    await page.keyboard.press('a')
    await page.keyboard.press('a')
    await page.keyboard.press('u')
    await expect(page.getByText('1 decision will be sent when you’re back online.')).toBeVisible()
    await expect(row(page, desk, 1)).toBeFocused()
    await page.keyboard.press('r')
    await page.context().setOffline(false)
    await expect.poll(() => statesOf(desk, 0, 1)).toEqual(['approved', 'rejected'])
    expect(await decisionsBy(desk, me.name)).toBe(2)
  })

  test('a decision is sent even when the page is left with the same key press', IN_TURNS, async ({ page, desk }) => {
    const me = await openQueue(page, desk)
    await page.evaluate(() => {
      // The next item is never painted here.
      window.requestAnimationFrame = () => 0
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
      window.location.assign('about:blank')
    })
    await page.waitForURL('about:blank')
    await expect.poll(() => statesOf(desk, 0)).toEqual(['approved'])
    expect(await decisionsBy(desk, me.name)).toBe(1)
  })

  test(
    'an unsent decision survives a reload and is applied once even if it had arrived',
    IN_TURNS,
    async ({ page, desk }) => {
      const me = await openQueue(page, desk)
      // The server carries out the call, and its response is lost.
      await page.route('**/api/trpc/review.decide**', async (route) => {
        await route.fetch()
        // The page may already be closed.
        await route.abort().catch(() => {})
      })
      await page.keyboard.press('a')
      await expect(page.getByText('1 decision will be sent when you’re back online.')).toBeVisible()
      await expect.poll(() => statesOf(desk, 0)).toEqual(['approved'])
      await page.reload()
      await expect(page.getByText('1 decision will be sent when you’re back online.')).toBeVisible()

      await page.unroute('**/api/trpc/review.decide**')
      await expect(page.getByText('1 decision will be sent')).toBeHidden({ timeout: 15_000 })
      await expect(page.getByText('wasn’t counted')).toBeHidden()
      expect(await decisionsBy(desk, me.name)).toBe(1)
    },
  )
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

const queueOf = (desk: Desk) => `${desk.url}/queue?communityId=${desk.community.communityId}`
const textOf = (desk: Desk, index: number) => desk.held[index]?.text ?? ''
const idOf = (desk: Desk, index: number) => desk.held[index]?.commentId ?? ''
const row = (page: Page, desk: Desk, index: number) => page.getByRole('option', { name: textOf(desk, index) })

async function openQueue(page: Page, desk: Desk) {
  const person = await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk))
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  return person
}

async function anotherBrowser(browser: Browser, desk: Desk) {
  const page = await (await browser.newContext()).newPage()
  return { page, ...(await openQueue(page, desk)) }
}

/**
 * Presses a key on an item at the same moment as somebody else, as closely as browsers can. Resolves to the message shown if this person
 * was second, dismisses it and continues; never resolves if they were first, until an event with the item's name ends it.
 */
function decideAt(page: Page, { item, key, at }: { item: string; key: string; at: number }): Promise<string> {
  return page.evaluate(
    async ({ item, key, at }) => {
      const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      const current = () => document.querySelector('[role=option][aria-selected=true]')?.id
      const isOver = new Promise<never>((_, reject) => {
        document.addEventListener(item, () => reject(new Error('was first')), { once: true })
      })
      const until = async <Found>(look: () => Found | undefined): Promise<Found> => {
        for (;;) {
          const found = look()
          if (found) return found
          await Promise.race([isOver, nextChange()])
        }
      }
      const nextChange = () =>
        new Promise<void>((resolve) => {
          const changes = new MutationObserver(() => {
            changes.disconnect()
            resolve()
          })
          changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
        })
      await until(() => current() === item)
      await new Promise((resolve) => setTimeout(resolve, at - Date.now()))
      press(key)

      const article = document.querySelector('article')
      const message = await until(() =>
        article?.innerText.split('\n').find((line) => /wasn’t counted| (approved|rejected) this,/.test(line)),
      )
      if (message.includes('wasn’t counted')) {
        document.querySelector<HTMLElement>('article [aria-label=Dismiss]')?.click()
        await until(() => !article?.innerText.includes('wasn’t counted'))
      } else press('j')
      await until(() => current() !== item)
      return message
    },
    { item, key, at },
  )
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

function statesOf(desk: Desk, ...indexes: number[]): Promise<(string | null)[]> {
  return Promise.all(indexes.map((index) => desk.stateOf(idOf(desk, index))))
}
