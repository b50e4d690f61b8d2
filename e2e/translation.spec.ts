import { openTranslationStub } from '#server/testing/translations.ts'
import { expectNoFindings } from './axe.ts'
import { test as base, expect } from './fixtures.ts'

const test = base.extend<{ service: Awaited<ReturnType<typeof openTranslationStub>> }>({
  service: async ({ desk }, use) => {
    const service = await openTranslationStub()
    await use(service)
    await desk.database.prisma.translationSettings.update({ where: { id: 1 }, data: { url: null, isOn: false } })
    await service.close()
  },
})

test('an admin sets up a service and turns it on; a moderator translates an item with a key, hides it, and sees why it fails', async ({
  page,
  desk,
  service,
}) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/translation`)
  await page.getByRole('button', { name: 'Set up service…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Translation service' })
  await dialog.getByLabel('Address').fill(service.url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Test with an example' }).click()
  await expect(page.getByText('.elpmexe nu tse iceC')).toBeVisible()
  const isOn = page.getByRole('switch', { name: 'Let reviewers translate texts' })
  await isOn.press(' ')
  await expect(isOn).toBeChecked()
  await expectNoFindings(page)

  await desk.signIn(page, 'moderator')
  const { commentId = '', text = '' } = desk.held[0] ?? {}
  service.asked.length = 0
  service.answerWith(() => ({ status: 500, body: '' }))
  await page.goto(`${desk.url}/queue?item=comment:${commentId}`)
  const item = page.getByRole('article')
  await expect(item.getByRole('button', { name: /^Translate/ })).toBeVisible()
  expect(service.asked).toEqual([])
  await page.keyboard.press('Shift+T')
  await expect(item).toContainText('The translation service failed (response 500).')
  service.answerWith()
  await page.keyboard.press('Shift+T')
  const translation = item.getByRole('region', { name: 'Translation' })
  await expect(translation).toContainText('Machine translation from French')
  await expect(translation).toContainText([...text].reverse().join(''))
  expect(service.asked.map(({ q, target }) => [q, target])).toEqual([
    [text, 'en'],
    [text, 'en'],
  ])
  await page.setViewportSize({ width: 720, height: 450 })
  await expectNoFindings(page)
  await page.keyboard.press('Shift+T')
  await expect(translation).toBeHidden()
})
