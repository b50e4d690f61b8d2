import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { loadSample, type SampleAccount } from '#server/modules/imports/load-sample.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { makeSample } from '../../prisma/sample/sample.ts'
import { expect, test } from '../fixtures.ts'

const WIDTHS = [1440, 320] as const
const THEMES = ['light', 'dark'] as const

/** What the screenshots of docs/screens show, each at both widths and in both themes: how one comes there from the queue. */
const SCREENS: Record<string, (page: Page) => Promise<void>> = {
  queue: async () => {},
  palette: async (page) => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog').getByRole('textbox')
    await field.fill('har')
    await expect(page.getByRole('dialog').getByRole('option', { name: 'Gwen Pritchard' })).toBeVisible()
  },
  preferences: async (page) => {
    await page.goto('/settings/preferences')
    await expect(page.getByRole('heading', { level: 1, name: 'My preferences' })).toBeVisible()
  },
  'preferences-keys': async (page) => {
    await page.goto('/settings/preferences#keys')
    await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
    await page.keyboard.press('r')
    await expect(page.getByRole('button', { name: 'Swap the two' })).toBeVisible()
  },
  many: async (page) => {
    await chooseSix(page)
  },
  'many-preview': async (page) => {
    await chooseSix(page)
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toContainText('will be approved.')
  },
  keys: async (page) => {
    await page.getByRole('option').first().focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keys on this page' })).toBeVisible()
  },
  'sign-in': async (page) => {
    await page.request.post('/api/auth/sign-out', { data: {}, headers: { origin: DESK } })
    await page.goto('/sign-in')
  },
}

async function chooseSix(page: Page): Promise<void> {
  await page.keyboard.press('x')
  for (let more = 1; more < 6; more += 1) await page.keyboard.press('Shift+J')
  await expect(page.getByRole('toolbar', { name: 'What is selected' })).toContainText('6 selected')
}

const DESK = process.env.DESK_URL ?? ''
let accounts: SampleAccount[] = []

test.beforeAll(async ({ deskDatabase }) => {
  accounts = await loadSample(systemCtx(deskDatabase), makeSample)
})

for (const [name, open] of Object.entries(SCREENS)) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      test(`${name} at ${width} px, ${theme}`, async ({ page }) => {
        await page.setViewportSize({ width, height: width < 640 ? 700 : 900 })
        await page.context().addCookies([{ name: 'docket_theme', value: theme, url: DESK }])
        await signIn(page)
        await page.goto('/queue')
        await expect(page.getByRole('option').first()).toBeVisible()
        await open(page)
        await page.screenshot({
          path: fileURLToPath(new URL(`../../docs/screens/${name}-${width}-${theme}.png`, import.meta.url)),
        })
      })
    }
  }
}

/** As the moderator of the sample. */
async function signIn(page: Page): Promise<void> {
  const { email, password } = accounts.find(({ title }) => title === 'Community moderator') ?? {}
  const answer = await page.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: DESK },
  })
  expect(answer.ok()).toBe(true)
}
