import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { expect } from './fixtures.ts'

/** The desk is another page on a telephone: what is looked at, is looked at in both widths. */
export const WIDTHS = [1440, 320] as const

/** React Aria hides the page behind what is open, whose own container is no landmark. */
const BEHIND_AN_OVERLAY = ['region', 'aria-hidden-focus', 'landmark-one-main', 'page-has-heading-one']

/** What axe says of a page that depends on how it is painted, and not on what it consists of. */
const ABOUT_PAINT = ['color-contrast', 'link-in-text-block']

/** What has scrolled half under a bar is smaller until it is scrolled out again. */
const UNDER_A_BAR = /partially obscured/

interface Look {
  theme: 'light' | 'dark'
  direction?: 'rtl'
  forcedColors?: 'active'
  /** Every rule where left out: what a page consists of is the same in all looks. */
  rules?: readonly string[]
}

const LOOKS: Look[] = [
  { theme: 'light' },
  { theme: 'dark', rules: ABOUT_PAINT },
  { theme: 'light', direction: 'rtl', rules: ['target-size'] },
  // These colours are the system's own; axe reads `-webkit-text-fill-color`, which stays as it was and is not what is painted.
  { theme: 'light', forcedColors: 'active', rules: ['link-in-text-block'] },
]

/** Axe has nothing to say of the page as it stands, light, dark, right to left and in forced colours, and nothing is too wide. */
export async function expectNoFindings(page: Page): Promise<void> {
  const own = await page.evaluate(() => ({ theme: document.documentElement.dataset.theme, dir: document.dir }))
  for (const look of LOOKS) {
    await wear(page, { theme: look.theme, dir: look.direction ?? own.dir, forcedColors: look.forcedColors ?? 'none' })
    expect(await findingsOf(page, look), `what axe finds: ${nameOf(look)}`).toEqual([])
    await expectNothingTooWide(page)
  }
  await wear(page, { ...own, forcedColors: null })
}

interface Worn {
  theme: string | undefined
  dir: string
  forcedColors: 'active' | 'none' | null
}

async function wear(page: Page, { theme, dir, forcedColors }: Worn): Promise<void> {
  const colorScheme = theme === 'light' || theme === 'dark' ? theme : null
  // What fades is between two colours for a while, and neither is judged.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme, forcedColors })
  await page.evaluate(
    ({ theme, dir }) => {
      document.dir = dir
      if (theme) document.documentElement.dataset.theme = theme
      else delete document.documentElement.dataset.theme
    },
    { theme, dir },
  )
}

async function findingsOf(page: Page, { rules }: Look) {
  const isCovered = await page.evaluate(
    () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null,
  )
  const notJudged = isCovered ? BEHIND_AN_OVERLAY.map((rule) => [rule, { enabled: false }] as const) : []
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules
      ? { runOnly: { type: 'rule', values: [...rules] } }
      : { rules: { ...Object.fromEntries(notJudged), 'target-size': { enabled: true } } }),
  }
  // Run in the page as it is: the library for Playwright opens another page each time, which takes seconds.
  await page.evaluate(`window.axe ?? eval(${JSON.stringify(axe.source)})`)
  const { violations } = await page.evaluate((options) => (window as unknown as Axed).axe.run(options), options)
  return violations
    .map(({ id, nodes }) => [
      id,
      ...nodes
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .filter((words) => !UNDER_A_BAR.test(words)),
    ])
    .filter(({ length }) => length > 1)
}

interface Axed {
  axe: typeof axe
}

async function expectNothingTooWide(page: Page): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  // Behind what is open, a page of which nothing scrolls may be told a pixel wider by rounding.
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth + 1)
}

const nameOf = ({ theme, direction, forcedColors }: Look) =>
  [theme, direction && 'right to left', forcedColors && 'in forced colours'].filter(Boolean).join(', ')
