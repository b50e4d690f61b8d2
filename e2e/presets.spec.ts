import { expectNoFindings } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { makeLive } from './pages-of-rules.ts'

test('a preset fills in the form with one press, says what it would have caught, and is tested again before it is live', async ({
  page,
  desk,
}) => {
  const { communityId } = desk.community
  const [first, second] = desk.held
  await desk.decideElsewhere(second?.commentId ?? '', 'approved')
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules?communityId=${communityId}`)
  await expectNoFindings(page)
  await page
    .getByRole('list', { name: 'Start from a preset' })
    .getByRole('button', { name: 'Slurs in English' })
    .click()

  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Slurs in English')
  await expect(page.locator('form').getByRole('heading')).toHaveText([
    'What should it find?',
    'What it would have caught',
    'What happens then?',
  ])
  const trial = page.getByRole('region', { name: 'What it would have caught' })
  await expect(trial).toContainText('Finds nothing.')
  const word = first?.text.split(' ')[1] ?? ''
  await page.getByRole('textbox', { name: 'Words or phrases' }).fill(word)
  await expect(trial).toContainText('1 pending now')
  await expect(trial).toContainText(/In all \d+ pending and decided items\./)
  await expectNoFindings(page)
  await expect(page.locator('main select')).toHaveCount(0)

  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Slurs in English' })).toContainText('Draft')
  await makeLive(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')
  await page.getByRole('link', { name: 'All rules' }).click()
  await page.getByRole('button', { name: 'Scams' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Scams')
})
