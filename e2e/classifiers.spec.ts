import { freePort } from '#server/testing/free-port.ts'
import { createAskedClassifier } from '../docs/examples/asked-classifier.ts'
import { expectNoFindings } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('an admin registers a classifier, sees its secret once, sends an example, changes, disables and removes it', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.database.prisma.classifier.updateMany({ data: { removedAt: new Date() } })
  const port = await freePort()
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/classifiers`)
  await expect(page.getByRole('heading', { name: 'No classifiers yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Add classifier' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add classifier' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shouting')
  await dialog.getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/')
  await dialog.getByRole('radio', { name: 'One community' }).check()
  await expect(dialog.getByRole('checkbox', { name: 'Messages' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Add classifier' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose a community.')
  await dialog.getByRole('radio', { name: 'Whole network' }).check()
  await dialog.getByRole('button', { name: 'Add classifier' }).click()
  await expect(dialog.getByRole('alert')).toContainText('private address')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(`http://127.0.0.1:${port}/`)
  await dialog.getByRole('button', { name: 'Add classifier' }).click()

  const classifier = page.getByRole('region', { name: 'Shouting' })
  const secret = (await classifier.getByText(/^whsec_/).textContent()) ?? ''
  await classifier.getByRole('button', { name: 'Send example' }).click()
  await expect(classifier).toContainText('Connection failed')
  const server = createAskedClassifier(secret).listen(port, '127.0.0.1')
  await classifier.getByRole('button', { name: 'Send example' }).click()
  await expect(classifier).toContainText('Valid answer')
  await expect(classifier).toContainText('shouting 0.')
  await page.setViewportSize({ width: 720, height: 450 })
  await expectNoFindings(page)

  await page.reload()
  await expect(classifier).toContainText('comments and posts · Whole network')
  await expect(page.getByText(secret)).toHaveCount(0)
  await classifier.getByRole('button', { name: 'Edit…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit classifier' })
  await edit.getByRole('spinbutton', { name: 'Items per request' }).fill('1')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(classifier).toContainText('1 item each')

  // The list is read again only after all of these acts.
  const switched = Promise.withResolvers<void>()
  await page.route(/classifiers\.list/, async (route) => {
    await switched.promise
    await route.continue()
  })
  await classifier.getByRole('button', { name: 'New secret…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
  await expect(classifier.getByText(/^whsec_/)).not.toHaveText(secret)
  await classifier.getByRole('button', { name: 'Disable' }).click()
  await classifier.getByRole('button', { name: 'Enable' }).click()
  await classifier.getByRole('button', { name: 'Disable' }).click()
  await expect(classifier.getByRole('button', { name: 'Enable' })).toBeVisible()
  switched.resolve()
  await expect(classifier.getByText('Disabled', { exact: true }).first()).toBeVisible()
  await classifier.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove permanently' }).click()
  await expect(page.getByRole('heading', { name: 'No classifiers yet' })).toBeVisible()
  server.close()
})
