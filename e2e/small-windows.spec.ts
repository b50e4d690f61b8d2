import { expectNoFindings, windows } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { PAGES_OF_RULES, sceneOfRules } from './pages-of-rules.ts'

for (const size of windows(720)) {
  test(`pages of rules, classifiers and waves have no axe findings and fit ${size.width} × ${size.height}`, {
    tag: '@stress',
  }, async ({ page, desk }) => {
    const scene = await sceneOfRules(desk)
    await desk.signIn(page, 'admin')
    await page.setViewportSize(size)
    for (const [name, open] of Object.entries(PAGES_OF_RULES))
      await test.step(name, async () => {
        await open(page, desk, scene)
        await expectNoFindings(page)
      })
  })
}

test('in a low window, what gets the focus in a long dialog is not under its buttons', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const scene = await sceneOfRules(desk)
  await desk.signIn(page, 'admin')
  await page.setViewportSize({ width: 720, height: 450 })
  await PAGES_OF_RULES['a rejected wave with bans']?.(page, desk, scene)
  const dialog = page.getByRole('dialog')
  const bar = await dialog.getByRole('button', { name: 'Reject 5 and ban 5' }).boundingBox()
  for (const key of ['', 'Tab', 'Tab']) {
    if (key) await page.keyboard.press(key)
    const box = await page.evaluate(() =>
      document.activeElement?.closest('label, div')?.getBoundingClientRect().toJSON(),
    )
    expect(box.bottom).toBeLessThanOrEqual(bar?.y ?? 0)
    expect(box.top).toBeGreaterThanOrEqual(0)
  }
})
