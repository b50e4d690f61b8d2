import type { Page } from '@playwright/test'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { expectNoFindings, windows } from './axe.ts'
import { chooseRow, hold, moderatorOf, queriesOf, refuse } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a moderator finds a spammer in a channel, bans them for a day, sees the ban expire and lifts another', async ({
  page,
  desk,
}) => {
  const { channelId, channelName, spammer, banned } = await channelOf(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/channels`)
  await page.keyboard.type(channelName.slice(0, -2))
  await expect(page.getByRole('row', { name: channelName })).toBeVisible()
  await page.getByRole('row', { name: channelName }).click()
  await expect(page.getByRole('heading', { level: 1, name: channelName })).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('Watch sel')
  await expect(page).toHaveURL(/query=Watch/)
  const row = page.getByRole('row', { name: spammer.name })
  await expect(row).toBeVisible()
  await chooseRow(row)
  await expect(page).toHaveURL(/chosen=/)
  await page.getByRole('button', { name: /^Ban 1/ }).click()
  const dialog = page.getByRole('dialog', { name: `Ban ${spammer.name}` })
  await expect(dialog.getByRole('radio', { name: '1 hour' })).toBeFocused()
  await page.keyboard.press('2')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Selling watches')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('status')).toContainText(`Banned ${spammer.name} for 1 day.`)

  await choose(page, 'members', 'members and banned')
  await expect(row).toContainText('Banned')
  await expect(row).toContainText('Selling watches')
  await expect(row).toContainText(/by Person \w+/)
  await expect(row).toContainText(/until .*(23 h 5\d|1 d) left/)

  const unbanned = async () => {
    const audits = await desk.database.prisma.audit.findMany({
      where: { channelId, action: 'channelUser.unbanned' },
      orderBy: { auditId: 'asc' },
    })
    return audits.map(({ subjectId, actorKind }) => [subjectId, actorKind])
  }
  const moved = new Date(Date.now() - 1_000)
  await desk.database.prisma.ban.updateMany({ where: { channelId, userId: spammer.userId }, data: { endsAt: moved } })
  await expect
    .poll(() => unbanned(), { message: 'waited until the ban has expired' })
    .toEqual([[spammer.userId, 'system']])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()

  await page.getByRole('button', { name: 'Show all members' }).click()
  await choose(page, 'members', 'banned')
  const other = page.getByRole('row', { name: banned.name })
  await expect(other).toContainText('Rude, twice')
  await chooseRow(other)
  await page.getByRole('button', { name: 'Lift 1 ban' }).click()
  await expect(page.getByRole('status')).toContainText(`Lifted the ban of ${banned.name}.`)
  await expect(other).toBeHidden()
  expect(await unbanned()).toEqual([
    [spammer.userId, 'system'],
    [banned.userId, 'user'],
  ])
})

test('a key pressed at the moment a page appears is not lost', { tag: '@stress' }, async ({ page, desk }) => {
  const { channelId, channelName } = await channelOf(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/channels?query=${encodeURIComponent(channelName)}`)
  await page.evaluate(() => {
    const pressOnce = new MutationObserver(() => {
      if (!document.querySelector('[aria-label="Name or ID"]')) return
      pressOnce.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))
    })
    pressOnce.observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('row', { name: channelName }).click()
  await expect(page.getByRole('searchbox', { name: 'Name or ID' })).toBeFocused()
})

test('every action on selected members can be undone and restores their roles', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId, spammer, helper } = await channelOf(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/channels/${channelId}?sort=displayName`)
  const standing = async () => {
    const rows = await desk.database.prisma.channelUser.findMany({
      where: { channelId, userId: { in: [spammer.userId, helper.userId] } },
      orderBy: { userId: 'asc' },
    })
    return rows.map(({ userId, membership, roles, muteTimeout }) => ({
      userId,
      membership,
      roles,
      isMuted: muteTimeout !== null,
    }))
  }
  const before = await standing()
  const chooseBoth = async () => {
    for (const { name } of [spammer, helper]) await chooseRow(page.getByRole('row', { name }))
    await expect(page.getByRole('toolbar', { name: 'Actions for selected members' })).toContainText('2 selected')
  }
  const undo = async () => {
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone.')
    await expect.poll(standing, { message: 'waited until all are as before' }).toEqual(before)
  }

  await chooseBoth()
  await page.getByRole('row', { name: helper.name }).focus()
  await page.keyboard.press('b')
  await page.getByRole('radio', { name: '1 hour' }).waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('Banned 2 people for 1 hour.')
  await undo()

  await chooseBoth()
  await page.getByRole('button', { name: 'Mute 2…' }).click()
  await page.getByRole('radio', { name: '1 hour' }).waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: helper.name })).toContainText('Muted')
  await undo()

  await chooseBoth()
  await page.getByRole('button', { name: 'Add role…' }).click()
  await page.getByRole('radio', { name: 'Greeter' }).check()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: spammer.name })).toContainText('Greeter')
  await undo()

  await chooseBoth()
  await page.getByRole('button', { name: 'Remove 2' }).click()
  await expect(page.getByRole('row', { name: spammer.name })).toBeHidden()
  await undo()
})

test('a person is added by keyboard, and undo removes them', { tag: '@stress' }, async ({ page, desk }) => {
  const { channelId } = await channelOf(desk)
  const name = `Newcomer ${crypto.randomUUID().slice(0, 8)}`
  const { userId } = await desk.database.prisma.user.create({
    data: { userId: crypto.randomUUID(), displayName: name },
  })
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/channels/${channelId}`)
  await page.getByRole('button', { name: 'Add people' }).press('Enter')
  await page.getByRole('textbox', { name: 'Who' }).fill(name)
  await expect(page.getByRole('list', { name: 'Suggestions' })).toContainText(userId)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('row', { name })).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByRole('row', { name })).toBeHidden()
})

test('members page in both directions, and a link keeps filters, page and selection', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId } = await channelOf(desk, { more: 45 })
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/channels/${channelId}?sort=firstCreated`)
  await expect(page.getByText('1–20 of 49')).toBeVisible()
  const first = await page.getByRole('row').nth(1).textContent()
  // A second press while the page is loading goes no further.
  const release = await hold(page, queriesOf('members.list'))
  await page.getByRole('button', { name: 'Next page' }).dblclick()
  release()
  await expect(page.getByText('21–40 of 49')).toBeVisible()
  const second = await page.getByRole('row').nth(1).textContent()
  await chooseRow(page.getByRole('row').nth(1))
  await expect(page).toHaveURL(/chosen=/)
  await page.reload()
  await expect(page.getByText('21–40 of 49')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toHaveText(second ?? '')
  await expect(page.getByRole('row').nth(1).getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByText('1–20 of 49')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toHaveText(first ?? '')
})

test('support can read every channel and its members but is offered no changes', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId, channelName, spammer } = await channelOf(desk)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/channels/${channelId}`)
  await expect(page.getByRole('heading', { level: 1, name: channelName })).toBeVisible()
  await expect(page.getByRole('row', { name: spammer.name })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Ban|Mute|Add|Remove|Lift/ })).toHaveCount(0)
})

for (const size of windows(1440)) {
  test(`lists and a dialog have no axe findings at ${size.width} × ${size.height} and fit the width`, {
    tag: '@stress',
  }, async ({ page, desk }) => {
    const { channelId, channelName, banned } = await channelOf(desk)
    await page.setViewportSize(size)
    await moderatorOf(page, desk, channelId)
    await page.goto(`${desk.url}/channels`)
    await expect(page.getByRole('row', { name: channelName })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/channels?query=qxzwvjkp`)
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/channels/${channelId}?tab=facts`)
    await expect(page.getByRole('region', { name: 'Pinned message' })).toContainText('Mind the tide')
    await expectNoFindings(page)
    await page.goto(`${desk.url}/channels/${channelId}?filter=member%26banned&chosen=${banned.userId}`)
    await expect(page.getByRole('button', { name: 'Lift 1 ban' })).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Add people' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoFindings(page)
  })
}

test('loading, failed and empty member lists are announced and have no axe findings', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { channelId } = await channelOf(desk)
  await moderatorOf(page, desk, channelId)
  await page.goto(`${desk.url}/channels/${channelId}`)
  const answer = await hold(page, queriesOf('members.list'), refuse)
  await choose(page, 'members', 'muted')
  await expectNoFindings(page)
  answer()
  await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
  await expectNoFindings(page)
  await page.unroute(queriesOf('members.list'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
  await expectNoFindings(page)
})

interface Person {
  userId: string
  name: string
}

interface SomeChannel {
  channelId: string
  channelName: string
  spammer: Person
  banned: Person
  helper: Person
}

/** A channel with a pinned message, a spammer, a banned member, and one with a role. */
async function channelOf(desk: Desk, { more = 0 } = {}): Promise<SomeChannel> {
  const make = channelFactoriesOf(desk.database)
  const { prisma } = desk.database
  const word = crypto.randomUUID().slice(0, 8)
  const channelName = `Quayside ${word}`
  const pinned = `pinned-${word}`
  const { channelId } = await make.channel({ displayName: channelName, pinnedMessageId: pinned, tags: ['harbour'] })
  // One role for all tests, which run at the same time.
  await prisma.role.createMany({
    data: { roleId: 'greeter', displayName: 'Greeter', scope: 'channel', rank: 5 },
    skipDuplicates: true,
  })
  const member = async (name: string, over: object = {}): Promise<Person> => {
    const { userId } = await make.channelUser({ channelId, displayName: name, ...over })
    return { userId, name }
  }
  const spammer = await member(`Watch seller ${word}`)
  const helper = await member(`Helping hand ${word}`, { roles: ['greeter'] })
  const banned = await member(`Rude one ${word}`, { membership: 'banned' })
  await prisma.ban.create({
    data: { scope: 'channel', channelId, userId: banned.userId, bannedBy: helper.userId, reason: 'Rude, twice' },
  })
  await make.message({ channelId, messageId: pinned, userId: helper.userId, data: { text: 'Mind the tide' } })
  for (let extra = 0; extra < more; extra += 1)
    await make.channelUser({ channelId, createdAt: new Date(Date.UTC(2026, 0, 1, 0, extra)) })
  if (more > 0) await member(`One more ${word}`)
  return { channelId, channelName, spammer, helper, banned }
}

async function choose(page: Page, now: string, next: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: now, exact: true }).click()
  await page.getByRole('menuitemradio', { name: next, exact: true }).click()
}
