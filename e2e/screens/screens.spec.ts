import { readdir, rm, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { CAST, DESK, type Look, type Screen, signIn } from './scene.ts'
import { FIGURES } from './scenes/figures.ts'
import { ITEMS } from './scenes/items.ts'
import { LANGUAGES } from './scenes/languages.ts'
import { PEOPLE_AND_SPACES } from './scenes/people-and-spaces.ts'
import { QUEUE } from './scenes/queue.ts'
import { RULES } from './scenes/rules.ts'
import { SETTINGS } from './scenes/settings.ts'
import { STATES } from './scenes/states.ts'
import { shrink } from './shrink.ts'

const PICTURES = new URL('../../docs/screens/', import.meta.url)

/** The screenshots of docs/screens, by name. */
const SCREENS: Record<string, Screen> = {
  ...QUEUE,
  ...ITEMS,
  ...RULES,
  ...PEOPLE_AND_SPACES,
  ...SETTINGS,
  ...FIGURES,
  ...STATES,
  ...LANGUAGES,
}

for (const [name, { looks, show }] of Object.entries(SCREENS)) {
  for (const look of looks) {
    test(`${name} at ${look}`, async ({ page, browser, deskDatabase }) => {
      const [width = '', theme = ''] = look.split('-')
      await page.setViewportSize({ width: Number(width), height: width === '320' ? 700 : 900 })
      await page.context().addCookies([{ name: 'docket_theme', value: theme, url: DESK }])
      await waitForFonts(page)
      // The person of the last screenshot is no longer viewing the item.
      await deskDatabase.prisma.lease.deleteMany()
      await show({
        page,
        browser,
        database: deskDatabase,
        open: async (search = '', as = CAST.moderator) => {
          await signIn(page, as)
          await page.goto(`/queue${search}`)
        },
        shoot: async () => {
          await page.evaluate(() => document.fonts.ready)
          const picture = await page.screenshot({ animations: 'disabled', ...(await aroundDialog(page)) })
          await writeFile(new URL(`${name}-${look}.webp`, PICTURES), await shrink(picture))
        },
      })
    })
  }
}

test('the gallery names them all, and there are no others', async () => {
  const pictures = Object.entries(SCREENS).map(
    ([name, { looks }]) =>
      `## ${name.replaceAll('-', ' ')}\n\n${looks.map((look) => imageOf(name, look)).join('\n')}\n`,
  )
  const gallery = [GALLERY, ...pictures].join('\n')
  await writeFile(new URL('README.md', PICTURES), gallery)
  for (const file of await readdir(PICTURES)) {
    if (file !== 'README.md' && !gallery.includes(`"${file}"`)) await rm(new URL(file, PICTURES))
  }
})

const GALLERY = `# The desk in pictures

Made from the sample by \`npm run screens\`: some of the pages, on a desk or on a phone, light or dark.
`

function imageOf(name: string, look: Look): string {
  const width = look.startsWith('320') ? 200 : 720
  return `<img src="${name}-${look}.webp" width="${width}" alt="${name.replaceAll('-', ' ')}, ${look.replace('-', ' px, ')}">`
}

/** Has pages show the desk's own fonts, where a slow browser would show those of the system. */
async function waitForFonts(page: Page): Promise<void> {
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('font-display:optional', 'font-display:block')
    await route.fulfill({ response, body })
  })
}

/** Enough of the page around it to recognise a dialog. */
const MARGIN_PX = 40

async function aroundDialog(page: Page): Promise<{ clip?: { x: number; y: number; width: number; height: number } }> {
  const { width: pageWidth = 0, height: pageHeight = 0 } = page.viewportSize() ?? {}
  const box = await page
    .locator('[data-rac]:has(> [role=dialog])')
    .first()
    .boundingBox({ timeout: 500 })
    .catch(() => null)
  if (!box || box.width + 2 * MARGIN_PX > pageWidth) return {}
  const [x, y] = [Math.max(0, box.x - MARGIN_PX), Math.max(0, box.y - MARGIN_PX)]
  const width = Math.min(pageWidth, box.x + box.width + MARGIN_PX) - x
  return { clip: { x, y, width, height: Math.min(pageHeight, box.y + box.height + MARGIN_PX) - y } }
}
