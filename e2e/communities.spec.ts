import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings, windows } from './axe.ts'
import { chooseRow } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a moderator bans a member of their community, undoes it and opens the queue', async ({ page, desk }) => {
  const { communityId, displayName } = desk.community
  const { userId, name } = await memberOf(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/communities`)
  await expect(page.getByRole('row', { name: displayName })).toContainText('8 held')
  await page.getByRole('row', { name: displayName }).click()
  await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible()

  const row = page.getByRole('row', { name })
  await chooseRow(row)
  await row.focus()
  await page.keyboard.press('b')
  await page.getByRole('radio', { name: '1 hour' }).waitFor()
  await page.keyboard.press('3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText(`Banned ${name} for 1 week.`)
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  const standing = await desk.database.prisma.communityUser.findUniqueOrThrow({
    where: { communityId_userId: { communityId, userId } },
  })
  expect(standing.membership).toBe('member')

  await page.getByRole('link', { name: 'Queue, 8 held' }).click()
  await expect(page).toHaveURL(`${desk.url}/queue?communityId=${communityId}`)
})

test('a moderator mutes a member of their community, finds them among the muted, and unmutes them', async ({
  page,
  desk,
}) => {
  const { communityId } = desk.community
  const { name } = await memberOf(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/communities/${communityId}`)
  const row = page.getByRole('row', { name })
  await chooseRow(row)
  await page.getByRole('button', { name: 'Mute 1…' }).click()
  await page.getByRole('radio', { name: '1 hour' }).check()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(page.getByRole('status')).toContainText(`Muted ${name}`)
  await expect(row).toContainText('Muted')

  await page.goto(`${desk.url}/communities/${communityId}?filter=muted`)
  await chooseRow(row)
  await page.getByRole('button', { name: 'Unmute 1' }).click()
  await expect(page.getByRole('status')).toContainText(`Unmuted ${name}`)
  await expect(row).toHaveCount(0)
})

test('a ban or removal of the last moderator says that nobody moderates then, and undo makes them one again', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId, displayName } = desk.community
  const { userId, name } = await desk.account('moderator')
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/communities/${communityId}`)
  const row = page.getByRole('row', { name })
  const hasUndone = async () => {
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone.')
    const who = { communityId_userId: { communityId, userId } }
    const { membership, roles } = await desk.database.prisma.communityUser.findUniqueOrThrow({ where: who })
    expect({ membership, roles }).toEqual({ membership: 'member', roles: ['community-moderator'] })
  }
  await chooseRow(row)
  await page.getByRole('button', { name: 'Ban 1…' }).click()
  await page.getByRole('radio', { name: '1 hour' }).check()
  await expect(page.getByRole('dialog')).toContainText(`Nobody will moderate ${displayName} after this ban.`)
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(page.getByRole('status')).toContainText(`Banned ${name} for 1 hour. Nobody moderates here now: undo it`)
  await hasUndone()

  await chooseRow(row)
  await page.getByRole('button', { name: 'Remove 1' }).click()
  await expect(page.getByRole('status')).toContainText(`Removed ${name}. Nobody moderates here now: undo it`)
  await hasUndone()
})

for (const kind of ['communities', 'channels'] as const) {
  test(`the page of one of the ${kind} doesn’t request what it was rendered with`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { channelId } = await channelFactoriesOf(desk.database).channel({ displayName: 'Quay chat' })
    const calls = new Set<string>()
    page.on('request', (request) => request.url().includes('/api/trpc/') && calls.add(new URL(request.url()).pathname))
    await desk.signIn(page, 'admin')
    await page.goto(`${desk.url}/${kind}/${kind === 'channels' ? channelId : desk.community.communityId}`)
    await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()
    expect([...calls].filter((path) => !path.includes('live.'))).toEqual([])
  })
}

test('a setting explains its effect, shows who changed it and the backlog it leaves, and can be undone', async ({
  page,
  desk,
}) => {
  const { communityId } = desk.community
  await desk.database.prisma.community.update({
    where: { communityId },
    data: { needApprovalOnCommentCreation: true },
  })
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/communities/${communityId}?tab=settings`)
  const holds = page.getByRole('switch', { name: /^Hold comments/ })
  await expect(holds).toBeChecked()
  await holds.press('Space')
  await expect(page.getByRole('status')).toContainText('Hold comments: off.')
  await expect(page.getByRole('main')).toContainText(`Last changed by ${name}`)
  await expect(page.getByText('This community no longer holds new items, but 8 are still waiting.')).toBeVisible()
  await page.getByRole('main').getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  await expect(holds).toBeChecked()
  await expect(page.getByText('This community no longer holds new items')).toBeHidden()
})

test('support can read members and settings but is offered no changes', { tag: '@stress' }, async ({ page, desk }) => {
  const { communityId } = desk.community
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/communities/${communityId}`)
  await expect(page.getByRole('row', { name: 'Author first' })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Settings' }).filter({ visible: true }).last().click()
  await expect(page.getByText('Hold comments', { exact: true })).toBeVisible()
  await expect(page.getByRole('switch')).toHaveCount(0)
})

test('a moderator cannot open another community, and the palette opens their own', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { communityId } = await factoriesOf(desk.database).community()
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/communities/${communityId}`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').or(dialog.getByRole('textbox')).fill(desk.community.communityId)
  await page.getByRole('option', { name: desk.community.displayName }).last().click()
  await expect(page).toHaveURL(`${desk.url}/communities/${desk.community.communityId}`)
})

for (const size of windows(320)) {
  test(`has no axe findings at ${size.width} × ${size.height} and fits the width`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { communityId, displayName } = desk.community
    await page.setViewportSize(size)
    await desk.signIn(page, 'moderator')
    await page.goto(`${desk.url}/communities`)
    await expect(page.getByRole('row', { name: displayName })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/communities/${communityId}`)
    await expect(page.getByRole('row', { name: 'Author first' })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/communities/${communityId}?tab=settings`)
    await expect(page.getByRole('switch').first()).toBeVisible()
    await expectNoFindings(page)
  })
}

async function memberOf(desk: Desk): Promise<{ userId: string; name: string }> {
  const make = factoriesOf(desk.database)
  const name = `Loud one ${crypto.randomUUID().slice(0, 8)}`
  const { userId } = await make.user({ displayName: name })
  await make.member({ communityId: desk.community.communityId, userId })
  return { userId, name }
}
