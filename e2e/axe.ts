import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { expect } from './fixtures.ts'

/** Of each layout one window; 720 × 450 is 1440 × 900 at 200 %. */
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 800 },
  { width: 720, height: 450 },
  { width: 640, height: 800 },
  { width: 320, height: 800 },
] as const
type Window = (typeof WINDOWS)[number]

/** The window with this width in the daily suite; all of them in `npm run test:stress`. */
export function windows(daily: Window['width']): Window[] {
  return WINDOWS.filter(({ width }) => IS_STRESS || width === daily)
}

/** Minified: each page parses it again. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** React Aria hides the page behind an overlay, whose own container is not a landmark. */
const BEHIND_AN_OVERLAY = ['region', 'aria-hidden-focus', 'landmark-one-main', 'page-has-heading-one']

/** The system sets forced colours; axe then reads `-webkit-text-fill-color`, which keeps its value and is not what is painted. */
const CHOSEN_BY_THE_SYSTEM = ['color-contrast']

/** What a look alone can change; the elements of a page, and how they are named, are the same in each. */
const DEPEND_ON_LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** A size finding: an element scrolled half under a bar is smaller until it is scrolled out again. */
const UNDER_A_BAR = /partially obscured/

const checksOf = new WeakMap<Page, number>()

/** WCAG 2.2, 2.5.8: in CSS pixels, in both directions. */
const TARGET_PX = 24

interface Look {
  theme?: string | undefined
  direction: string
  forcedColors: 'active' | 'none'
}

/**
 * Axe finds nothing on the page, light, dark, right to left and in forced colours, and nothing is too wide: by all rules in the first look,
 * then by those that a look can change. In the daily suite the checks of a test take one look each, in turn, by all rules.
 */
export async function expectNoFindings(page: Page): Promise<void> {
  const checks = checksOf.get(page) ?? 0
  checksOf.set(page, checks + 1)

  const own: Look = await page.evaluate(() => ({
    theme: document.documentElement.dataset.theme,
    direction: document.dir,
    forcedColors: 'none',
  }))
  const isCovered = await page.evaluate(
    () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null,
  )
  const looks: Look[] = [
    { ...own, theme: 'light' },
    { ...own, theme: 'dark' },
    { ...own, forcedColors: 'active' },
    { ...own, direction: 'rtl' },
  ]
  const turn = checks % looks.length
  for (const [index, look] of (IS_STRESS ? looks : looks.slice(turn, turn + 1)).entries()) {
    await wear(page, look)
    const isForced = look.forcedColors === 'active'
    const except = [...(isCovered ? BEHIND_AN_OVERLAY : []), ...(isForced ? CHOSEN_BY_THE_SYSTEM : [])]
    const only = index === 0 ? undefined : DEPEND_ON_LOOK.filter((rule) => !except.includes(rule))
    expect(await findingsOf(page, { except, only }), `what axe finds in ${JSON.stringify(look)}`).toEqual([])
    // A popover's placement depends on the language of the page, so its position is only checked in the page's own direction.
    if (!isCovered || look.direction === own.direction) await expectNothingTooWide(page)
  }
  await wear(page, own)
}

async function wear(page: Page, { theme, direction, forcedColors }: Look): Promise<void> {
  const colorScheme = theme === 'light' || theme === 'dark' ? theme : null
  // A fading element has a colour in between, which must not be judged.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme, forcedColors })
  await page.evaluate(
    ({ theme, direction }) => {
      document.dir = direction
      if (theme) document.documentElement.dataset.theme = theme
      else delete document.documentElement.dataset.theme
    },
    { theme, direction },
  )
}

/** Runs axe in the page itself: its Playwright library opens another page each time, which takes seconds. */
async function findingsOf(page: Page, { except, only }: { except: string[]; only: string[] | undefined }) {
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]))
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(only ? { runOnly: only } : { rules: { ...rules, 'target-size': { enabled: true } } }),
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE)
  const found = await page.evaluate(lookAround, { options, enoughPx: TARGET_PX })
  return found
    .map(({ id, nodes }) => [
      id,
      ...nodes
        .map(({ html, failureSummary, hasLargeLabel }) => ({ words: `${html} ${failureSummary}`, hasLargeLabel }))
        .filter(({ words, hasLargeLabel }) => id !== 'target-size' || !(hasLargeLabel || UNDER_A_BAR.test(words)))
        .map(({ words }) => words),
    ])
    .filter(({ length }) => length > 1)
}

/** Runs in the page. The target of a checkbox includes its label; axe measures the checkbox alone. */
async function lookAround({ options, enoughPx }: { options: RunOptions; enoughPx: number }) {
  const { violations } = await (window as unknown as Axed).axe.run({ ...options, elementRef: true })
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary, element }) => {
      const label = element?.closest('label')?.getBoundingClientRect()
      return { html, failureSummary, hasLargeLabel: Boolean(label && Math.min(label.width, label.height) >= enoughPx) }
    }),
  }))
}

interface Axed {
  axe: typeof axe
}

async function expectNothingTooWide(page: Page): Promise<void> {
  const widths = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[role="dialog"]')].map(({ scrollWidth, clientWidth }) => {
      return { scrollWidth, clientWidth }
    }),
  )
  // Behind an overlay, rounding may report a page that doesn't scroll as one pixel wider.
  for (const { scrollWidth, clientWidth } of widths) expect(scrollWidth).toBeLessThanOrEqual(clientWidth + 1)
}
