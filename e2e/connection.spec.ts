import { expect, test } from './fixtures.ts'

test('offline, a page opened before is shown, and any other link waits for the connection inside the desk', async ({
  page,
  context,
  desk,
}) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users`)
  const nav = page.getByRole('navigation', { name: 'Desk' }).first()
  await nav.getByRole('link', { name: 'Communities' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Communities' })).toBeVisible()
  await nav.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()

  await context.setOffline(true)
  await expect(page.getByText('Other pages need a connection')).toBeVisible()
  await nav.getByRole('link', { name: 'Communities' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Communities' })).toBeVisible()
  await nav.getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Communities' })).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  await expect(page.getByText('Other pages need a connection')).toHaveCount(0)
})

test('text typed in a dialog survives the end of the session', async ({ page, context, desk }) => {
  const { userId } = desk.held[0] ?? { userId: '' }
  await desk.signIn(page, 'admin')
  const cookies = await context.cookies()
  await page.goto(`${desk.url}/users/${userId}`)
  await page.keyboard.press('n')
  const note = page.getByRole('dialog').getByRole('textbox', { name: 'Note' })
  await note.fill('Writes at night')
  await context.clearCookies()
  await note.press('Control+Enter')
  await expect(page).toHaveURL(/sign-in/)

  await context.addCookies(cookies)
  // The dialog opens again by itself.
  await page.goto(`${desk.url}/users/${userId}`)
  await expect(note).toHaveValue('Writes at night')
})

test('the desk uses the browser language after signing in, as the sign-in page does', { tag: '@stress' }, async ({
  browser,
  desk,
}) => {
  const page = await (await browser.newContext({ locale: 'de-AT' })).newPage()
  const { email, password } = await desk.account('support')
  await page.goto(`${desk.url}/sign-in`)
  await page.getByLabel('E-Mail').fill(email)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Personen' })).toBeVisible()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.context().close()
})

test('by keyboard, one can skip the navigation, see where one is, and close the date filter without losing the place', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const person = desk.held[0] ?? { userId: '', authorName: '' }
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${person.userId}`)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(person.authorName)
  const where = page.getByRole('navigation', { name: 'Where you are' })
  await expect(where).toContainText(`Users/${person.authorName}`)

  await page.goto(`${desk.url}/audit`)
  const days = page.getByRole('button', { name: /^Days: / })
  await days.press('Enter')
  await page.getByRole('button', { name: 'Today', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await expect(days).toBeFocused()
})

test('support starts with users, has no queue, and sees where a comment is', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const [held] = desk.held
  await desk.signIn(page, 'support')
  await page.goto(desk.url)
  await expect(page).toHaveURL(`${desk.url}/users`)
  await expect(page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Queue' })).toHaveCount(0)
  await page.goto(`${desk.url}/users/${held?.userId}`)
  const content = page.getByRole('region', { name: 'What they wrote' })
  await expect(content).toContainText(/Held.*Comment in Harbour/)
  const row = content.getByRole('row', { name: held?.text ?? '' })
  await expect(row.getByRole('link')).toHaveAttribute('href', /audit\?subjectId=/)
})

test('search parameters known from other pages lead to the page’s own', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users?text=pat`)
  await expect(page.getByRole('searchbox', { name: 'ID, name or handle' })).toHaveValue('pat')
  await page.goto(`${desk.url}/audit?from=2026-11-01&until=2026-11-02`)
  await expect(page).toHaveURL(/startDate=2026-11-01.*endDate=2026-11-02/)
  await expect(page.getByRole('button', { name: /^Days: 1 Nov/ })).toBeVisible()
})
