import type { Page } from '@playwright/test'
import { inTransaction } from '#server/core/db.ts'
import { writeLink } from '#server/modules/accounts/staff/make-link.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a signed-out person signs in after a wrong password, and returns to the page they asked for', async ({
  page,
  desk,
}) => {
  const account = await desk.account('moderator')
  const asked = `${desk.url}/queue?communityId=${desk.community.communityId}&order=oldest`
  await page.goto(asked)
  await expect(page).toHaveURL(/\/sign-in\?then=/)

  await fill(page, { ...account, password: 'not-this-one' })
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong email or password.' })).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await fill(page, account)
  await expect(page).toHaveURL(asked)
  await expect(page.getByRole('heading', { level: 1, name: 'Held' })).toBeVisible()
})

test('signing in never redirects to another site', { tag: '@stress' }, async ({ page, desk }) => {
  const account = await desk.account('moderator')
  await page.goto(`${desk.url}/sign-in?then=//evil.example/`)
  await fill(page, account)
  await expect(page).toHaveURL(`${desk.url}/queue`)
})

test('a signed-in person skips the sign-in page', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/sign-in`)
  await expect(page).toHaveURL(`${desk.url}/queue`)
})

test('the account menu signs the person out', async ({ page, desk }) => {
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue`)
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Docket' })).toBeVisible()

  await page.goto(`${desk.url}/queue`)
  await expect(page).toHaveURL(/\/sign-in/)
})

test('after a session ends, signing in returns to the page and sends unsent decisions', async ({ page, desk }) => {
  const account = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.context().clearCookies()
  await page.keyboard.press('a')

  await expect(page.getByText('Your session ended.')).toBeVisible()
  await fill(page, account)
  await expect(page.getByRole('option', { name: desk.held[1]?.text ?? '' })).toBeVisible()
  await expect
    .poll(() => desk.stateOf(desk.held[0]?.commentId ?? ''), { message: 'waited until the unsent approval arrives' })
    .toBe('approved')
  await expect(page.getByRole('option', { name: desk.held[0]?.text ?? '' })).toHaveCount(0)
})

test('a chosen theme is rendered by the server after a reload', { tag: '@stress' }, async ({ page, desk }) => {
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue`)
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  const answer = await page.reload()
  expect(await answer?.text()).toContain('data-theme="dark"')
})

test('the setup page explains where to find the link', { tag: '@stress' }, async ({ page, desk }) => {
  await page.goto(`${desk.url}/setup`)
  await expect(page.getByText('the one-time link that the terminal shows')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
})

test('an invalid setup link creates no admin', { tag: '@stress' }, async ({ page, desk }) => {
  await page.goto(`${desk.url}/setup?token=guessed`)
  await page.getByLabel('Name').fill('Somebody')
  await page.getByLabel('Email').fill('somebody@docket.example')
  await page.getByLabel('Password', { exact: true }).fill('twelve-characters')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This link was already used' })).toBeVisible()
})

for (const { form, path, submit } of [
  { form: 'sign-in', path: () => '/sign-in', submit: 'Sign in' },
  { form: 'setup', path: () => '/setup?token=guessed', submit: 'Create account' },
  { form: 'invitation', path: linkPath, submit: 'Set password' },
  { form: 'password', path: signedInPath, submit: 'Change password' },
]) {
  test(`the ${form} form is not sent before the page's script runs, and keeps what was typed`, {
    tag: '@stress',
  }, async ({ page, desk }) => {
    const address = `${desk.url}${await path(desk, page)}`
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    const release = await holdScripts(page)
    const opening = page.goto(address)

    const button = page.getByRole('button', { name: submit, exact: true })
    await expect(button).toBeDisabled()
    await untilStyled(page)
    const before = await button.boundingBox()
    const passwords = page.locator('input[type=password]')
    for (const field of await passwords.all()) await field.fill(TYPED_EARLY)
    await passwords.last().press('Enter')
    await button.click({ force: true })

    release()
    await opening
    await expect(button).toBeEnabled()
    expect(await button.boundingBox()).toEqual(before)
    for (const field of await passwords.all()) await expect(field).toHaveValue(TYPED_EARLY)
    expect(page.url()).toBe(address)
    expect(requests.filter((request) => request.includes(TYPED_EARLY))).toEqual([])
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
  })
}

test('a person who types before the page is ready signs in once it is', { tag: '@stress' }, async ({ page, desk }) => {
  const { email, password } = await desk.account('moderator')
  const release = await holdScripts(page)
  const opening = page.goto(`${desk.url}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  release()
  await opening

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${desk.url}/queue`)
})

const TYPED_EARLY = 'typed-before-the-script-runs'

/** Before that, the place of the button is that of a page without a look. */
async function untilStyled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    return links.length > 0 && links.every(({ sheet }) => sheet !== null)
  })
}

/** Holds the page's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

async function signedInPath(desk: Desk, page: Page): Promise<string> {
  await desk.signIn(page, 'moderator')
  return '/settings/security'
}

/** A link to choose a new password: the form of invitations. */
async function linkPath(desk: Desk): Promise<string> {
  const { staffId } = await desk.account('moderator')
  const { token } = await inTransaction(systemCtx(desk.database), (ctx) =>
    writeLink(ctx, { staffId, purpose: 'password' }),
  )
  return `/invite?token=${token}`
}

async function fill(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
