import type { CDPSession, Page } from '@playwright/test'
import { expectNoFindings, windows } from './axe.ts'
import { openQueue, queueOf } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'
import { sceneOfRules } from './pages-of-rules.ts'

for (const size of windows(640)) {
  test(`sign-in and queue have no axe findings at ${size.width} × ${size.height}, and neither log nor violate the content policy`, {
    tag: '@scaled',
  }, async ({ page, desk }) => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    await page.setViewportSize(size)
    await page.goto(`${desk.url}/sign-in`)
    await expectNoFindings(page)
    await openQueue(page, desk)
    await expectNoFindings(page)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(said).toEqual([])
  })
}

for (const size of windows(320)) {
  test(`sign-in, preferences and the not-found page have no axe findings at ${size.width} × ${size.height}`, {
    tag: '@stress',
  }, async ({ page, desk }) => {
    await page.setViewportSize(size)
    await page.goto(`${desk.url}/sign-in`)
    await expectNoFindings(page)
    await page.goto(`${desk.url}/no-such-page`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expectNoFindings(page)

    await openQueue(page, desk)
    await page.goto(`${desk.url}/settings/preferences#keys`)
    await page.getByRole('button', { name: 'Choose a time zone' }).click()
    await expect(page.getByRole('searchbox', { name: 'Find a time zone' })).toBeVisible()
    await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
    await page.keyboard.press('r')
    await expect(page.getByRole('button', { name: 'Swap keys' })).toBeVisible()
    await expectNoFindings(page)
  })
}

test('hidden text and the break reminder have no axe findings', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.request.post(`${desk.url}/api/trpc/preferences.change`, {
    data: { coveredText: 'all', pauseAfterDecisions: 1 },
    headers: { origin: desk.url },
  })
  await page.goto(queueOf(desk))
  await page.keyboard.press('a')
  await expect(page.getByText('Time to rest your eyes.')).toBeVisible()
  await expect(page.getByRole('article').getByRole('button', { name: 'Show text' }).first()).toBeVisible()
  await expectNoFindings(page)
})

test('a screen reader announces a decision, the next item and the undo in order', async ({ page, desk }) => {
  await openQueue(page, desk)
  // On a busy machine the undo time of the page passes before everything is announced, and so does that of the server.
  await page.clock.setFixedTime(Date.now())
  const heard = await listen(page)
  await page.getByRole('option').first().focus()
  await expect
    .poll(heard, { message: 'waited until the first item is announced' })
    .toEqual([expect.stringMatching(/^option Author first .*The first comment says/)])
  await page.keyboard.press('r')
  const decided = { subjectId: desk.held[0]?.commentId ?? '', state: 'held' as const }
  const releasesAt = new Date(Date.now() + 3_600_000)
  await expect
    .poll(async () => (await desk.database.prisma.event.updateMany({ where: decided, data: { releasesAt } })).count, {
      message: 'waited until the rejection has arrived',
    })
    .toBe(1)
  // What the focus says and what the page says come at once: either may be first.
  const after = async (count: number) => (await heard()).slice(count).sort()
  await expect
    .poll(() => after(1), { message: 'waited until the next item and the decision are announced' })
    .toEqual([
      'Rejected: Author first. Press a number to add a reason. You can undo for 10 seconds.',
      expect.stringMatching(/^option Author second .*The second comment says/),
    ])
  await page.keyboard.press('u')
  await expect
    .poll(() => after(3), { message: 'waited until the item and the undo are announced' })
    .toEqual(['Undone: Author first', expect.stringMatching(/^option Author first .*The first comment says/)])
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - article "Comment by Author first":
      - region "The comment in its conversation"
      - toolbar "Decide":
        - button "Approve"
        - button "Reject"
  `)
})

test('a screen reader finds the whole queue page in order, named as it reads', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { displayName } = desk.community
  await page.setViewportSize({ width: 1440, height: 900 })
  await openQueue(page, desk)
  await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author first')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - button "Skip to content"
    - banner:
      - link "Docket"
      - text: Queue
      - heading "Held" [level=1]
      - button "Search or run a command"
      - button /Time zone UTC \\d+:\\d+/
      - text: "Live updates: Live"
      - button /, your account/
    - navigation "Desk":
      - link "Queue"
      - list:
        - listitem:
          - link "Held 8"
        - listitem:
          - link "Mine 0"
        - listitem:
          - link "Reported 0"
        - listitem:
          - link "Escalated 0"
        - listitem:
          - link "${displayName} 8"
      - link "Communities"
      - link "Users"
      - link "Insights"
      - link "Settings"
    - main:
      - search "Filters":
        - strong: "8"
        - text: held in
        - button "${displayName}"
        - button "Show all my communities"
        - button "Filter"
        - button "Save view"
        - button "Export CSV"
      - region "Held":
        - button "Newest held first"
        - button "Compact rows"
        - paragraph: service target 4 h, 3 overdue
        - listbox "Held":
          - option /Author first ${displayName} written .* held 4\\d min The first comment says that the water stood at the harbour wall\\./ [selected]
          - option /Author second ${displayName} written .* held 1 h 2\\d The second comment says that the water stood at the harbour wall\\./
          - option /Author sixth ${displayName} written .* held 4 h .* overdue The sixth comment says that the water stood at the harbour wall\\./
      - article "Comment by Author first":
        - heading "Comment by Author first" [level=2]
        - text: /Held 4\\d min ${displayName} , on/
        - 'button "High water at the quay: show only items held on this post"'
        - text: 1 of 8
        - button "Previous" [disabled]
        - button "Next"
        - region "The comment in its conversation":
          - list:
            - listitem:
              - text: /Some one replied, .* Approved/
              - blockquote: Is the lower road open again?
            - listitem:
              - text: Author first replied
              - button "Edit"
              - text: The first comment says that the water stood at the harbour wall.
              - term: Written
              - definition
              - term: Held
              - definition
              - term: Why held
              - definition: All comments in ${displayName} are held for review
            - listitem:
              - button "Open thread"
        - toolbar "Decide":
          - button "Approve"
          - button "Reject"
          - button "Claim"
          - button "Escalate"
          - button "Ban…"
          - button "Skip"
          - button "Keyboard shortcuts"
      - complementary "Context":
        - heading "Author first" [level=3]:
          - link "Author first"
        - term: ID
        - definition:
          - button "Copy ID"
        - term: Joined
        - definition
        - term: Member of
        - definition: ${displayName}
        - term: Bans, mutes
        - definition: None
        - term: Held now
        - definition: No other items
        - paragraph: No past decisions, notes or decisions on this text yet.
        - button "Add note"
        - heading "Comment history" [level=3]
        - list:
          - listitem:
            - text: Written by Author first
          - listitem:
            - text: Held
      - paragraph: Use the keyboard to move and decide. Press question mark for shortcuts.
    - status
  `)
})

test('a screen reader finds why an item is held and why it is first, its wave, and whom a rejection bans', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { author } = await sceneOfRules(desk)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openQueue(page, desk, '&order=urgent')
  await page.getByRole('option').filter({ hasText: author }).click()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - article "Comment by ${author}":
      - heading "Comment by ${author}" [level=2]
      - region "The comment in its conversation":
        - list:
          - listitem:
            - link "https://harbour.example/a":
              - mark: https://harbour.example/a
            - mark: harbour
            - term: Why held
            - definition: "Rule: Links and words of the harbour"
    - complementary "Context":
      - heading "Why first" [level=3]
      - paragraph: /Worth 4 h or more/
      - term: Rule “Links and words of the harbour”, medium severity
      - definition: +4 h 00
      - term: Total
      - definition
  `)
  // The post has a title only, and moving on isn't announced a second time.
  await expect(page.getByRole('article').getByRole('blockquote')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  await expect(page.getByRole('article')).toMatchAriaSnapshot(`
    - region "Wave":
      - paragraph: /5 similar items by 5 accounts in 1 community/
      - button "Show the wave"
  `)
  await page.keyboard.press('w')
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "5 similar held items":
      - heading "5 similar held items" [level=2]
      - status: Review the 5 items below; least similar first.
      - region "5 of 5 selected":
        - list:
          - listitem:
            - checkbox /Some one Cheap watches .* ${desk.community.displayName}/ [checked]
      - button "Make a rule"
      - button "Approve 5"
      - button "Reject 5"
  `)
  await page.keyboard.press('r')
  await expect(page.getByRole('checkbox', { name: 'Also ban' })).toBeVisible()
  await page.keyboard.press('b')
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Reject 5 items":
      - status: 5 items will be rejected and deleted.
      - region "5 items to reject"
      - group "Reason"
      - textbox "In your own words"
      - checkbox "Also ban the 5 accounts that wrote them" [checked]
      - group "Duration"
      - group "Where":
        - radio "The communities where they wrote them 5 accounts can be banned" [checked]
      - textbox "Reason for the bans"
      - button "Reject 5 and ban 5"
  `)
})

/** Records what a screen reader gets from now on: the name and role of each focused element, and the text of the live region. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  const heard: Promise<string>[] = []
  await page.exposeBinding('heardWords', (_source, words: string) => void heard.push(Promise.resolve(words)))
  await page.exposeBinding('heardFocus', () => void heard.push(nameOfFocus(session)))
  await page.evaluate(() => {
    const { heardWords, heardFocus } = window as unknown as Record<string, (words?: string) => void>
    const region = document.querySelector('[role=status]')
    if (!region) throw new Error('There is no live region.')
    new MutationObserver(() => region.textContent && heardWords?.(region.textContent)).observe(region, {
      childList: true,
    })
    document.addEventListener('focusin', () => heardFocus?.())
  })
  return () => Promise.all(heard)
}

async function nameOfFocus(session: CDPSession): Promise<string> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  const [node] = nodes
  return `${node?.role?.value} ${node?.name?.value}`
}
