import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { uniqueWord } from '#server/testing/unique-word.ts'
import { expectNoFindings, windows } from './axe.ts'
import { hold, queriesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a support agent finds a person by a misspelt name and shares a link with a colleague', {
  tag: '@stress',
}, async ({ page, browser, desk }) => {
  const person = await somebody(desk)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/users`)
  await page.keyboard.type(person.misspelt)
  await expect(page.getByRole('row', { name: person.displayName })).toBeVisible()
  await expect(page).toHaveURL(/query=/)
  await page.getByRole('row', { name: person.displayName }).click()
  await expectOneLook(page, desk, person)

  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('status')).toContainText('Link copied')
  const link = await page.evaluate(() => navigator.clipboard.readText())

  const colleague = await browser.newContext()
  const theirs = await colleague.newPage()
  await desk.signIn(theirs, 'support')
  await theirs.goto(link)
  await expectOneLook(theirs, desk, person)
  await colleague.close()
})

test('a support agent cannot change anything in the desk or through the API', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { userId } = await somebody(desk)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/users/${userId}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Export data' })).toBeVisible()
  const acts = main.getByRole('button').filter({ hasNotText: /^(Copy link|Export data…)$/ })
  for (const name of await acts.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))))
    expect(name).toMatch(/^Copy /)
  await page.keyboard.press('b')
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const space = { scope: 'network' }
  expect(await statusOf(page, desk, 'bans.ban', { userId, space, minutes: 60 })).toBe(403)
  expect(await statusOf(page, desk, 'bans.unban', { userId, space })).toBe(403)
  expect(await statusOf(page, desk, 'notes.write', { aboutUserId: userId, text: 'No' })).toBe(403)
  expect(await statusOf(page, desk, 'users.erase', { userId, confirmation: userId })).toBe(403)
})

test('an admin bans a person by keyboard, reads what nobody moderates then, sees the ban and lifts it', async ({
  page,
  desk,
}) => {
  const { userId, displayName } = await somebody(desk)
  const { communityId, displayName: community } = desk.community
  await desk.database.prisma.communityUser.update({
    where: { communityId_userId: { communityId, userId } },
    data: { roles: ['community-moderator'] },
  })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: `Ban ${displayName} everywhere` })
  await expect(dialog.getByRole('radio', { name: '1 hour' })).toBeFocused()
  await page.keyboard.press('2')
  await expect(dialog).toContainText(`Nobody will moderate ${community} after this ban.`)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Selling watches')
  await dialog.getByRole('textbox', { name: 'Reason' }).press('Control+Enter')
  await expect(page.getByRole('status')).toContainText(`Banned ${displayName} from the whole network, for 1 day.`)
  await expect(page.getByRole('status')).toContainText(`Nobody moderates ${community} now: undo it`)

  const measures = sectionOf(page, 'Bans and mutes')
  await expect(measures).toContainText('Banned from the whole network, Selling watches')
  await expect(page.getByRole('button', { name: 'Ban…' })).toBeHidden()
  const ban = await desk.database.prisma.ban.findFirstOrThrow({ where: { userId, scope: 'network' } })
  expect(Number(ban.endsAt) - Number(ban.createdAt)).toBeCloseTo(86_400_000, -5)

  await measures.getByRole('button', { name: 'Lift ban the whole network' }).click()
  await expect(measures).toContainText('lifted by')
  await expect(page.getByRole('button', { name: 'Ban…' })).toBeVisible()
})

test('on a phone, a row of people is a link, and bans with their reason and end come before all else', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { userId, displayName } = await somebody(desk)
  const { prisma } = desk.database
  const endsAt = new Date(Date.now() + 86_400_000)
  await prisma.ban.create({ data: { scope: 'network', userId, reason: 'Selling watches', endsAt } })
  await prisma.user.update({ where: { userId }, data: { isGlobalBan: true } })
  await page.setViewportSize({ width: 390, height: 844 })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users?${new URLSearchParams({ query: displayName })}`)
  const link = page.getByRole('row', { name: displayName }).getByRole('link')
  await expect(link).toHaveAttribute('href', `/users/${userId}`)
  await link.click()
  const standing = page.getByRole('definition').first()
  await expect(standing).toContainText('Banned everywhere')
  await expect(standing).toContainText('until')
  await expect(standing).toContainText('Selling watches')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('Bans and mutes')
  await expect(sectionOf(page, 'Bans and mutes').getByText('Selling watches')).toBeInViewport()
})

test('a ban made by mistake can be undone', { tag: '@stress' }, async ({ page, desk }) => {
  const { userId } = await somebody(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.keyboard.press('b')
  await page.getByRole('radio', { name: '1 hour' }).waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  const user = await desk.database.prisma.user.findUniqueOrThrow({ where: { userId } })
  expect(user.isGlobalBan).toBe(false)
})

test('ending a mute can be undone: it lasts as long as before', { tag: '@stress' }, async ({ page, desk }) => {
  const { userId } = await somebody(desk)
  const { communityId } = desk.community
  const muteTimeout = new Date(Date.now() + 3_600_000)
  const mute = { communityId, userId, mutedBy: 'someone', reason: 'One link all day', endsAt: muteTimeout }
  const { prisma } = desk.database
  await prisma.mute.create({ data: { ...mute, createdAt: new Date() } })
  const member = { where: { communityId_userId: { communityId, userId } }, update: { muteTimeout } }
  await prisma.communityUser.upsert({ ...member, create: { communityId, userId, membership: 'member', muteTimeout } })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  const step = sectionOf(page, 'Bans and mutes').getByRole('listitem').filter({ hasText: 'One link all day' })
  const unmute = step.getByRole('button', { name: 'Unmute' })
  await unmute.click()
  await expect(step).toContainText('lifted by')
  await expect(unmute).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('status')).toHaveText('Undone.')
  await expect(unmute).toBeVisible()
  const inForce = await prisma.mute.findFirstOrThrow({ where: { userId, communityId, liftedAt: null } })
  // But for the moments that the server takes.
  expect(Number(inForce.endsAt)).toBeCloseTo(Number(muteTimeout), -5)
  expect(inForce.reason).toBe('One link all day')
})

test('keys pressed before a dialog has loaded go to the dialog only', { tag: '@stress' }, async ({ page, desk }) => {
  const { userId, displayName } = await somebody(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  const loadNote = await hold(page, SCRIPTS)
  // The second letter would open the other dialog.
  for (const key of ['n', 'S', 'e', 'l', 'l', 's', ' ', 'b']) await page.keyboard.press(key)
  loadNote()
  const note = page.getByRole('dialog', { name: `Note on ${displayName}` })
  await expect(note.getByRole('textbox')).toHaveValue('Sells b')
  await page.keyboard.press('Escape')
  await expect(note).toBeHidden()
  const loadBan = await hold(page, SCRIPTS)
  for (const key of ['b', '3', 'Enter']) await page.keyboard.press(key)
  loadBan()
  await expect(page.getByRole('status')).toContainText(`Banned ${displayName} from the whole network, for 1 week.`)
  expect(await desk.database.prisma.ban.count({ where: { userId } })).toBe(1)
})

test('without a connection, a dialog that was never loaded says so, and the page keeps its keys', {
  tag: '@stress',
}, async ({ page, desk, context }) => {
  const { userId, displayName } = await somebody(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await expect(page.getByRole('button', { name: 'Ban…' })).toBeEnabled()
  await context.setOffline(true)
  await page.keyboard.press('b')
  await expect(page.getByRole('status').filter({ hasText: 'Check your connection and try again.' })).toBeAttached()
  await context.setOffline(false)
  await page.keyboard.press('b')
  await expect(page.getByRole('dialog', { name: `Ban ${displayName} everywhere` })).toBeVisible()
})

test('a note on a person can be added, read and deleted', { tag: '@stress' }, async ({ page, desk }) => {
  const { userId } = await somebody(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.keyboard.press('n')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Stops when asked.')
  await page.keyboard.press('Control+Enter')
  const notes = sectionOf(page, 'Notes')
  await expect(notes).toContainText('Stops when asked.')
  await notes.getByRole('button', { name: 'Delete note' }).click()
  await expect(notes).toContainText('None yet.')
})

test('personal data is exported with a logged reason', { tag: '@stress' }, async ({ page, desk }) => {
  const { userId } = await somebody(desk)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.getByRole('button', { name: 'Export data' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('They asked for it, case 71')
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${userId}.json`)
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({ userId })
})

test('a person is erased only after their ID is typed, beside how much goes with them', async ({ page, desk }) => {
  const { userId, displayName } = await somebody(desk)
  await factoriesOf(desk.database).heldComment({ communityId: desk.community.communityId, userId })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.getByRole('button', { name: 'Erase…' }).click()
  await expect(page.getByRole('dialog')).toContainText('Deleted with them: 1 comment')
  const field = page.getByRole('textbox', { name: 'Type their user ID to confirm' })
  await field.fill(displayName)
  await page.getByRole('button', { name: 'Erase permanently' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This doesn’t match their user ID.' })).toBeVisible()
  await field.fill(userId)
  await page.getByRole('button', { name: 'Erase permanently' }).click()
  await expect(page.getByRole('heading', { level: 1, name: userId })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/Being erased|Erased/)
})

test.describe('the newest people', () => {
  // Each needs its own people to stay the newest.
  test.describe.configure({ mode: 'default' })

  test('page in both directions, and a reload keeps the page', { tag: '@stress' }, async ({ page, desk }) => {
    await moreThanAPage(desk)
    await desk.signIn(page, 'support')
    await page.goto(`${desk.url}/users`)
    await expect(page.getByText('Newest users')).toBeVisible()
    const first = await page.getByRole('row').nth(1).textContent()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page).toHaveURL(/cursor=/)
    await expect(page.getByRole('row').nth(1)).not.toHaveText(first ?? '')
    const second = await page.getByRole('row').nth(1).textContent()
    await page.reload()
    await expect(page.getByRole('row').nth(1)).toHaveText(second ?? '')
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(page.getByRole('row').nth(1)).toHaveText(first ?? '')
  })

  test('pressing next twice while loading moves one page, and going back returns', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await moreThanAPage(desk)
    await desk.signIn(page, 'support')
    await page.goto(`${desk.url}/users`)
    const row = page.getByRole('row').nth(1)
    const first = (await row.textContent()) ?? ''
    const answer = await hold(page, queriesOf('users.newest'))
    const next = page.getByRole('button', { name: 'Next page' })
    await next.click()
    await expect(page).toHaveURL(/cursor=/)
    await next.click()
    answer()
    await expect(row).not.toHaveText(first)
    await page.goBack()
    await expect(page).not.toHaveURL(/cursor=/)
    await expect(row).toHaveText(first)
  })
})

test('by keyboard, Enter opens the best match, and arrow keys reach the others', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { userId, displayName } = await openByEnter(page, desk)

  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue(userId)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('row', { name: displayName })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible()
})

test('Enter right after typing opens the best match, and going back keeps the search', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  // The URL follows typed text with a delay, which is lengthened here.
  await page.addInitScript(() => {
    const { setTimeout } = window
    const wait = (then: TimerHandler, ms = 0, ...rest: unknown[]) =>
      setTimeout(then, ms > 50 && ms <= 150 ? 1_000 : ms, ...rest)
    Object.assign(window, { setTimeout: wait })
  })
  const { userId } = await openByEnter(page, desk)
  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue(userId)
})

test('what is typed before the scripts are loaded is searched for', { tag: '@stress' }, async ({ page, desk }) => {
  const { userId } = await somebody(desk)
  await desk.signIn(page, 'support')
  const typed = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  const isLoaded = page.goto(`${desk.url}/users`)
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(userId)
  typed.resolve()
  await isLoaded
  await expect(page.getByText('1 match')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue(userId)
})

test('empty results, failures and missing people each show a message', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/users?query=qxzwvjkpqxzwvjkp`)
  await expect(page.getByRole('heading', { name: 'No matches for “qxzwvjkpqxzwvjkp”' })).toBeVisible()

  await page.route(queriesOf('users.find'), (route) => route.fulfill({ status: 403, body: '{}' }))
  await page.getByRole('searchbox').fill('somebody')
  await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
  await page.unroute(queriesOf('users.find'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeHidden()

  const answer = await page.goto(`${desk.url}/users/nobody-of-that-id`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Desk' }).filter({ visible: true })).toBeVisible()
})

test("the author's name links to their page", { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await page.getByRole('complementary').getByRole('link', { name: 'Author first' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Author first' })).toBeVisible()
  await expect(sectionOf(page, 'Memberships')).toContainText(desk.community.displayName)
})

for (const size of windows(1440)) {
  test(`has no axe findings at ${size.width} × ${size.height} and fits the width`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const person = await somebody(desk)
    await page.setViewportSize(size)
    await desk.signIn(page, 'admin')
    await page.goto(`${desk.url}/users?query=${person.userId}`)
    await expect(page.getByRole('row', { name: person.displayName })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/users?state=deleted&query=${person.userId}`)
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Deleted' }).click()
    await expect(page.getByRole('menuitemradio', { name: 'Banned everywhere' })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/users/${person.userId}`)
    await expect(page.getByRole('heading', { level: 1, name: person.displayName })).toBeVisible()
    await expectNoFindings(page)
    // On a phone the acts are in a menu.
    const isPhone = size.width <= 640
    if (isPhone) await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole(isPhone ? 'menuitem' : 'button', { name: 'Erase…' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoFindings(page)
  })
}

const SCRIPTS = '**/_next/**/*.js'

interface Somebody {
  userId: string
  internalId: string
  displayName: string
  misspelt: string
}

/** Creates twenty-one people who join in the future, so that they stay the newest while other tests create theirs. */
async function moreThanAPage({ database: { prisma } }: Desk): Promise<void> {
  const { _max: latest } = await prisma.user.aggregate({ _max: { createdAt: true } })
  const createdAt = new Date(Math.max(Date.now(), Number(latest.createdAt)) + 24 * 3_600_000)
  await prisma.user.createMany({
    data: Array.from({ length: 21 }, () => ({ userId: crypto.randomUUID(), createdAt })),
  })
}

/** Searches for a new person by id, and opens their page with Enter. */
async function openByEnter(page: Page, desk: Desk): Promise<Somebody> {
  const person = await somebody(desk)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/users`)
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(person.userId)
  await expect(page.getByText('1 match')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: person.displayName })).toBeVisible()
  return person
}

/** A person with a history: a member here, muted in a channel, with decisions, flags and notes. */
async function somebody(desk: Desk): Promise<Somebody> {
  const make = channelFactoriesOf(desk.database)
  const { prisma } = desk.database
  const word = uniqueWord()
  const displayName = `Marguerite ${word}`
  const { userId, internalId } = await prisma.user.create({
    data: { userId: crypto.randomUUID(), displayName, profileHandle: `the.${word}` },
  })
  const { communityId } = desk.community
  await prisma.communityUser.create({ data: { communityId, userId, roles: ['helper'], membership: 'member' } })
  const { channelId } = await make.channel({ displayName: 'Quayside' })
  await make.channelUser({ channelId, userId, muteTimeout: new Date(Date.now() + 3_600_000) })
  await prisma.mute.create({
    data: {
      channelId,
      userId,
      mutedBy: userId,
      reason: 'Flooding',
      createdAt: new Date(),
      endsAt: new Date(Date.now() + 3_600_000),
    },
  })
  const written = { authorId: userId, subjectType: 'comment' as const, communityId, source: 'desk' as const }
  await prisma.decision.createMany({
    data: (['approved', 'rejected', 'approved'] as const).map((outcome, index) => ({
      ...written,
      subjectId: `${word}-${index}`,
      outcome,
      decidedByName: 'Mo',
      version: 2,
      eventId: 0n,
      decidedAt: new Date(Date.now() - (index + 1) * 60_000),
      ...(outcome === 'rejected' && { reason: 'Rude' }),
    })),
  })
  await prisma.flag.create({ data: { subjectType: 'user', subjectId: userId, userId, reason: 'Spam' } })
  return { userId, internalId, displayName, misspelt: displayName.replace('Marguerite', 'Margeurite') }
}

async function expectOneLook(page: Page, desk: Desk, { userId, internalId, displayName }: Somebody): Promise<void> {
  await expect(page).toHaveURL(`${desk.url}/users/${userId}`)
  await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible()
  await expect(sectionOf(page, 'IDs')).toContainText(internalId)
  await expect(sectionOf(page, 'Memberships')).toContainText(/Harbour .*helper.*Quayside.*Muted/)
  await expect(page.getByText('2 approved, 1 rejected', { exact: true })).toBeVisible()
  await expect(sectionOf(page, 'Bans and mutes')).toContainText('Muted in Quayside, Flooding')
  await expect(sectionOf(page, 'Flags received')).toContainText('Spam')
}

function sectionOf(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}

async function statusOf(page: Page, desk: Desk, procedure: string, input: object): Promise<number> {
  const answer = await page.request.post(`${desk.url}/api/trpc/${procedure}`, {
    data: input,
    headers: { origin: desk.url },
  })
  return answer.status()
}
