import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** React Aria hides the page behind what is open, whose own container is no landmark. */
export const BEHIND_AN_OVERLAY = ['region', 'aria-hidden-focus', 'page-has-heading-one']

/** Axe finds nothing, and nothing is wider than the window. */
export async function expectNoFindings(page: Page, except: string[] = []): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).disableRules(except).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  const { scrollWidth, innerWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    innerWidth: window.innerWidth,
  }))
  expect(scrollWidth).toBeLessThanOrEqual(innerWidth)
}
