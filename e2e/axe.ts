import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { type Desk, expect } from './fixtures.ts'

/** React Aria hides the page behind what is open, whose own container is no landmark. */
const BEHIND_AN_OVERLAY = ['region', 'aria-hidden-focus', 'landmark-one-main', 'page-has-heading-one']

/** Forced colours are the system's own; of them axe reads `-webkit-text-fill-color`, which stays as it was and is not what is painted. */
const CHOSEN_BY_THE_SYSTEM = ['color-contrast']

/** The ways in which a state of the desk is looked at. */
export const LOOKS = [
  { look: 'light', width: 1440, cookies: { docket_theme: 'light' }, media: {} },
  { look: 'dark', width: 1440, cookies: { docket_theme: 'dark' }, media: {} },
  { look: 'forced colours', width: 1440, cookies: {}, media: { forcedColors: 'active' } },
  { look: 'right to left', width: 1440, cookies: { docket_dir: 'rtl' }, media: {} },
  { look: 'light', width: 320, cookies: { docket_theme: 'light' }, media: {} },
  { look: 'dark, right to left', width: 320, cookies: { docket_theme: 'dark', docket_dir: 'rtl' }, media: {} },
] as const

/** From now on the page is looked at this way. */
export async function lookAt(
  page: Page,
  { url }: Desk,
  { width, cookies, media }: (typeof LOOKS)[number],
): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ reducedMotion: 'reduce', ...media })
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}

/** Axe has nothing to say of the page as it is, and nothing is wider than the screen. */
export async function expectNoFindings(page: Page): Promise<void> {
  const { isCovered, isForced } = await page.evaluate(() => ({
    isCovered: document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null,
    isForced: matchMedia('(forced-colors: active)').matches,
  }))
  const except = [...(isCovered ? BEHIND_AN_OVERLAY : []), ...(isForced ? CHOSEN_BY_THE_SYSTEM : [])]
  const { violations } = await new AxeBuilder({ page }).disableRules(except).analyze()
  expect(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)]),
  ).toEqual([])
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  // Behind what is open, a page of which nothing scrolls may be told a pixel wider by rounding.
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth + 1)
}
