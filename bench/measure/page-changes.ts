import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { median } from './load.ts'

/** Each first visit of a page needs a browser without one. */
const ROUNDS = 5
/** A pointer is on a link about so long before it is pressed. */
const POINTED_MS = 300
const LINKS = ['Communities', 'Users', 'Channels', 'Messages', 'Insights', 'Audit log', 'Settings']

export interface PageChange {
  name: string
  /** From the press of a link in the navigation to the next page's content on the screen: the median of some first visits. */
  medianMs: number
}

/** How long links of the navigation take, from the queue. `open` opens a page in a browser of its own. */
export async function timePageChanges(open: () => Promise<Page>, queueUrl: string): Promise<PageChange[]> {
  const times = new Map(LINKS.map((name) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await open()
    for (const [name, measured] of times) {
      await page.goto(queueUrl, { waitUntil: 'networkidle' })
      measured.push(await timeOne(page, name))
    }
    await page.context().close()
  }
  return [...times].map(([name, measured]) => ({ name: name.toLowerCase(), medianMs: median(measured) }))
}

async function timeOne(page: Page, name: string): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name, exact: true })
  await link.hover()
  await setTimeout(POINTED_MS)
  const changing = page.evaluate(untilContent)
  await link.click()
  return changing
}

/** In the page: resolves once the address has changed, nothing of the content is loading, and it is painted. */
function untilContent(): Promise<number> {
  const from = location.pathname
  const isThere = () =>
    location.pathname !== from && document.querySelector('main') && !document.querySelector('main [aria-busy=true]')
  return new Promise((resolve) => {
    let pressedAt = 0
    addEventListener('click', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true, once: true })
    const look = () => {
      if (pressedAt > 0 && isThere())
        requestAnimationFrame(() => globalThis.setTimeout(() => resolve(performance.now() - pressedAt)))
      else requestAnimationFrame(look)
    }
    look()
  })
}
