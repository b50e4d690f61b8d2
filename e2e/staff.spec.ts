import { createOTP } from '@better-auth/utils/otp'
import type { Browser, Page } from '@playwright/test'
import { expectNoFindings, windows } from './axe.ts'
import { expect, test } from './fixtures.ts'

const PASSWORD = 'a-new-password-for-journeys'

test('an admin creates a role, invites a colleague, resets their password and disables their account', async ({
  page,
  browser,
  desk,
}) => {
  await desk.signIn(page, 'admin')
  const roleName = `Night shift ${crypto.randomUUID().slice(0, 6)}`
  await page.goto(`${desk.url}/settings/roles`)
  await page.getByRole('button', { name: 'New role…' }).click()
  const making = page.getByRole('dialog', { name: 'New role' })
  await making.getByLabel('Name').fill(roleName)
  await making.getByLabel('Rank').fill('500')
  await making.getByRole('button', { name: 'Create role' }).click()
  await expect(page.getByRole('heading', { name: roleName })).toBeVisible()
  for (const permission of ['Manage post and comment', 'View users'])
    await page.getByRole('checkbox', { name: permission }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toContainText(`Saved ${roleName}`)
  await page.getByRole('link', { name: 'All roles' }).click()
  await expect(page.getByRole('columnheader', { name: roleName })).toBeVisible()

  const email = `${crypto.randomUUID()}@docket.example`
  await page.goto(`${desk.url}/settings/staff`)
  await page.getByRole('button', { name: 'Invite…' }).click()
  const inviting = page.getByRole('dialog', { name: 'Invite a colleague' })
  await inviting.getByLabel('Name').fill('Robin')
  await inviting.getByLabel('Email').fill(email)
  await inviting.getByRole('radio', { name: roleName }).check()
  await inviting.getByRole('button', { name: 'Create link' }).click()
  const invitation = await linkIn(page, 'Invitation')

  const colleague = await otherBrowser(browser)
  await colleague.goto(invitation)
  await colleague.getByLabel('Name').fill('Robin Rook')
  await colleague.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await colleague.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(colleague.getByText('Account created.')).toBeVisible()
  await signInAs(colleague, email, PASSWORD)
  await expect(colleague.getByRole('button', { name: 'Robin Rook' })).toBeVisible()
  await colleague.goto(`${desk.url}/settings/staff`)
  await expect(colleague.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await colleague.goto(invitation)
  await expect(colleague.getByText('This link was already used')).toBeVisible()

  await page.reload()
  await page.getByRole('row', { name: 'Robin Rook' }).click()
  await page.getByRole('button', { name: 'Reset password' }).click()
  const reset = await linkIn(page, 'New password')
  await colleague.goto(reset)
  await colleague.getByLabel('Password', { exact: true }).fill(`${PASSWORD}-2`)
  await colleague.getByRole('button', { name: 'Set password' }).click()
  await expect(colleague.getByText('Password updated.')).toBeVisible()
  await signInAs(colleague, email, PASSWORD)
  await expect(colleague.getByRole('alert').filter({ hasText: 'Wrong email or password.' })).toBeVisible()
  await signInAs(colleague, email, `${PASSWORD}-2`)
  await expect(colleague).toHaveURL(`${desk.url}/queue`)
  await colleague.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(colleague.getByRole('option').first()).toBeVisible()

  await page.reload()
  await expect(page.getByRole('button', { name: /^End the session in Chrome/ })).toBeVisible()
  await page.getByRole('button', { name: 'Disable account' }).click()
  await expect(page.getByRole('status')).toContainText('Disabled the account of Robin Rook.')
  await expect(colleague.getByText('Your session ended.')).toBeVisible()
  await signInAs(colleague, email, `${PASSWORD}-2`)
  await expect(colleague.getByRole('alert').filter({ hasText: 'Wrong email or password.' })).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Disable account' })).toBeVisible()
  await signInAs(colleague, email, `${PASSWORD}-2`)
  await expect(colleague.getByRole('button', { name: 'Robin Rook' })).toBeVisible()
  await colleague.context().close()
})

test('a revoked key and its sessions stop working with the next request', async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/credentials`)
  const name = `App ${crypto.randomUUID().slice(0, 6)}`
  await page.getByRole('button', { name: 'New key…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByRole('dialog', { name: 'Key created' }).locator('pre').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()

  const open = () =>
    fetch(`${desk.url}/api/v5/sessions`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ userId: `user-${name}`, deviceId: 'a phone' }),
    })
  const { accessToken } = await (await open()).json()
  const read = () => fetch(`${desk.url}/api/v3/roles`, { headers: { authorization: `Bearer ${accessToken}` } })
  expect((await read()).status).toBe(200)

  const line = page.getByRole('listitem').filter({ hasText: name })
  await expect(line).not.toContainText(key)
  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  await expect(page.getByRole('dialog')).toContainText('and 1 person who signed in with it is signed out')
  expect((await read()).status).toBe(200)
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(line).toContainText('Revoked')
  await expect(page.getByRole('button', { name: `Revoke ${name}` })).toHaveCount(0)
  expect([(await open()).status, (await read()).status]).toEqual([401, 401])
})

test('an admin token is created for a role, shown once and revoked', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/credentials`)
  await page.getByRole('button', { name: 'New token…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
  await page.getByRole('radio', { name: 'Support' }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = (await page.getByRole('dialog', { name: 'Token created' }).locator('pre').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  const read = () => fetch(`${desk.url}/api/v3/roles`, { headers: { authorization: `Bearer ${token}` } })
  expect((await read()).status).toBe(200)
  const tokens = page.getByRole('list', { name: 'Admin tokens' })
  await expect(tokens.getByRole('listitem').first()).toContainText('Acts as Support.')
  await tokens.getByRole('listitem').first().getByRole('button', { name: 'Revoke Nightly export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(tokens.getByRole('listitem').first()).toContainText('Revoked')
  expect((await read()).status).toBe(401)
})

test('an authenticator app is set up, required at sign-in and reset by an admin', { tag: '@stress' }, async ({
  page,
  browser,
  desk,
}) => {
  const account = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/security`)
  await page.getByRole('button', { name: 'Set up…' }).click()
  await page.getByLabel('Your password').fill('not my password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong password.' })).toBeVisible()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await page.getByLabel('Code from the app').fill(await codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes =
    (await page.getByRole('dialog', { name: 'Backup codes' }).locator('pre').textContent())?.split('\n') ?? []
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('On. You sign in with your password and a code')).toBeVisible()

  const visitor = await otherBrowser(browser)
  await visitor.goto(`${desk.url}/sign-in`)
  await signInAs(visitor, account.email, account.password)
  await visitor.getByLabel('Code').fill('000000')
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(visitor.getByRole('alert').filter({ hasText: 'Wrong code.' })).toBeVisible()
  // The setup used up the current code; an app whose clock is ahead already shows the next one.
  await visitor.getByLabel('Code').fill(await codeOf(secret, { stepsAhead: 1 }))
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(visitor).toHaveURL(`${desk.url}/queue`)

  await visitor.context().clearCookies()
  await visitor.goto(`${desk.url}/sign-in`)
  await signInAs(visitor, account.email, account.password)
  await visitor.getByLabel('Code').fill(codes[0] ?? '')
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(visitor).toHaveURL(`${desk.url}/queue`)

  const admin = await otherBrowser(browser)
  await desk.signIn(admin, 'admin')
  await admin.goto(`${desk.url}/settings/staff/${account.staffId}`)
  await admin.getByRole('button', { name: 'Reset second factor' }).click()
  await expect(admin.getByRole('dialog')).toContainText(
    'They sign in with just a password from now on. The authenticator app and its backup codes stop working.',
  )
  await admin.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await expect(admin.getByRole('status')).toContainText('They now sign in with just a password')
  await visitor.context().clearCookies()
  await visitor.goto(`${desk.url}/sign-in`)
  await signInAs(visitor, account.email, account.password)
  await expect(visitor).toHaveURL(`${desk.url}/queue`)
  await Promise.all([visitor.context().close(), admin.context().close()])
})

test('a passkey signs in without a password until it is removed', async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${desk.url}/settings/security`)
  await page.getByRole('button', { name: 'Add…' }).click()
  await page.getByLabel('Name').fill('My laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByRole('status')).toContainText('Added “My laptop”.')

  await page.context().clearCookies()
  await page.goto(`${desk.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(`${desk.url}/queue`)

  await page.goto(`${desk.url}/settings/security`)
  await page.getByRole('button', { name: 'Remove My laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('status')).toContainText('Removed “My laptop”.')
  await page.context().clearCookies()
  await page.goto(`${desk.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This passkey isn’t registered on this desk.' })).toBeVisible()
})

test('changing the password ends other sessions and keeps the current one', { tag: '@stress' }, async ({
  page,
  browser,
  desk,
}) => {
  const account = await desk.signIn(page, 'moderator')
  const other = await otherBrowser(browser)
  const signInThere = async (password: string) => {
    await other.goto(`${desk.url}/sign-in`)
    await signInAs(other, account.email, password)
    await expect(other).toHaveURL(`${desk.url}/queue`)
  }
  await signInThere(account.password)
  await page.goto(`${desk.url}/settings/security`)
  await page.getByLabel('Current password').fill(account.password)
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('status')).toContainText('Password updated. 1 other session ended.')
  await expect(other.getByText('Your session ended.')).toBeVisible()

  await signInThere(PASSWORD)
  await page.reload()
  await page.getByRole('button', { name: /^End the session in/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await expect(other.getByText('Your session ended.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'This session' })).toBeVisible()
  await other.context().close()
})

test('at 1100 px every column of the roles can be reached, and at 760 px a toast leaves Save free', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await page.setViewportSize({ width: 1_100, height: 700 })
  await desk.signIn(page, 'admin')
  const roleId = `wide-${crypto.randomUUID().slice(0, 6)}`
  await desk.database.prisma.role.create({ data: { roleId, displayName: roleId, rank: 1, scope: 'community' } })
  await page.goto(`${desk.url}/settings/roles`)
  const columns = page.getByRole('columnheader')
  for (const column of [columns.first(), columns.last()]) {
    await column.scrollIntoViewIfNeeded()
    await expect(column).toBeInViewport({ ratio: 1 })
  }

  await page.setViewportSize({ width: 760, height: 700 })
  await page.goto(`${desk.url}/settings/roles?role=${roleId}`)
  await page.getByRole('checkbox', { name: 'Review community post' }).check()
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await expect(page.getByRole('region', { name: 'Last action' })).toContainText(`Saved ${roleId}`)
  // Playwright presses it only where nothing covers it.
  await save.click({ trial: true })
})

test('a colleague’s page says where roles of communities are given, and adds roles of the network', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { staffId } = await desk.account('moderator')
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/staff/${staffId}`)
  const roles = page.getByRole('region', { name: 'Roles' })
  await expect(roles).toContainText('Roles in a community or channel are given on its page, under Members.')
  await roles.getByRole('button', { name: 'Add role' }).click()
  const choices = page.getByRole('menuitemradio')
  await expect(choices.last()).toHaveText('Global admin')
  await expect(choices.filter({ hasText: 'Community moderator' })).toHaveCount(0)
})

test('at 320 px a role can be edited, deleted and restored with undo', { tag: '@stress' }, async ({ page, desk }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await desk.signIn(page, 'admin')
  const roleId = `small-${crypto.randomUUID().slice(0, 6)}`
  await desk.database.prisma.role.create({ data: { roleId, displayName: roleId, rank: 300, scope: 'community' } })
  await page.goto(`${desk.url}/settings/roles`)
  await expect(page.getByRole('table')).toBeHidden()
  await page.getByRole('button', { name: new RegExp(roleId) }).click()
  await expect(page).toHaveURL(new RegExp(`role=${roleId}`))
  await page.getByRole('checkbox', { name: 'Review community post' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toContainText(`Saved ${roleId}`)
  await page.getByRole('button', { name: 'Delete role' }).click()
  await expect(page.getByRole('button', { name: new RegExp(roleId) })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`${roleId}.*1 permission`) })).toBeVisible()
  await page.getByRole('button', { name: /Global admin/ }).click()
  await expect(page.getByText('You can only change roles with a lower rank than yours')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})

test('a person without these permissions gets only the settings of their own', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/settings/security`)
  const parts = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await expect(parts).toHaveText(['My sign-in', 'My notifications', 'My preferences'])
})

for (const size of windows(320)) {
  test(`staff and access pages have no axe findings at ${size.width} × ${size.height}`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(size)
    const account = await desk.account('support')
    const { id } = await desk.database.prisma.staffAccount.findUniqueOrThrow({ where: { email: account.email } })
    await page.goto(`${desk.url}/sign-in`)
    await expectNoFindings(page)
    await desk.signIn(page, 'admin')
    for (const path of ['staff', `staff/${id}`, 'security', 'credentials', 'roles', 'roles?role=support']) {
      await page.goto(`${desk.url}/settings/${path}`)
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
      await expectNoFindings(page)
    }
  })
}

async function linkIn(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const link = (await dialog.locator('pre').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

/** Another person's browser, not signed in. */
async function otherBrowser(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage()
}

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The code an authenticator app shows for the key. */
async function codeOf(key: string, { stepsAhead = 0 } = {}): Promise<string> {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const secret = (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('')
  return createOTP(secret).hotp(Math.floor(Date.now() / 30_000) + stepsAhead)
}
