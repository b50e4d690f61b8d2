import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { NO_TEXT_KEY } from '#server/modules/content/items/text-key.ts'
import { BROWSER_FLAGS, findBrowser } from '../../e2e/browser.ts'
import { installBrowser } from '../../e2e/install-browser.ts'
import { benchDatabase, withConnections, withCopy } from '../data/bench-database.ts'
import { HERE, type Place, withPlace } from '../programs/place.ts'
import { delayRows, delaysAtMost, type Options, type Report } from '../report.ts'

const HELD = 10_000
const KEYS = 400
/** The desk and the empty page alternate, so that both are measured under the same conditions. */
const ROUNDS = 8
/** Not counted: the first ones include loading on demand. */
const FIRST_KEYS = 21
/** 240 decisions a minute. */
const EVERY_MS = 250
const PROMISED_MS = 50
const PAINTED_WITHIN_MS = 10_000

/** Time since the key press, in milliseconds. */
interface Delay {
  inPage: number
  painted: number
  /** Until the list, which may render later, has moved to the item too. */
  listed: number
}

interface Measured {
  floor: Delay[]
  desk: Delay[]
}

/** A moderator who decides by keyboard in a real browser: how long the next item takes to appear. */
export async function benchDesk({ serverUrl, say }: Options): Promise<Report> {
  installBrowser()
  const original = await benchDatabase(serverUrl, HELD, say)
  return withCopy(original, async (databaseUrl) => {
    // One key decides on one item: those with the same text would be one row, which asks once more.
    await withConnections(databaseUrl, (pool) => pool.query('update review_item set text_key = $1', [NO_TEXT_KEY]))
    const open = (place: Place) => withBrowser(async (browser) => reportOf(await pressInTurns(browser, place, say)))
    return withPlace(HERE, databaseUrl, open, { withPages: true })
  })
}

async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

async function pressInTurns(browser: Browser, place: Place, say: Options['say']): Promise<Measured> {
  const [empty, desk] = [await openEmptyPage(browser), await openDesk(browser, place)]
  say(`${KEYS} keys at the desk, and as many on an empty page`)
  await pressOn(desk, FIRST_KEYS)
  const measured: Measured = { floor: [], desk: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    measured.floor.push(...(await pressOn(empty, KEYS / ROUNDS)))
    measured.desk.push(...(await pressOn(desk, KEYS / ROUNDS)))
  }
  return measured
}

/** A page to press keys on. */
interface Stage {
  page: Page
  /** Runs in the page: the text that the next key shows in its article. */
  nextText: () => string
}

/** The baseline of browser and machine: a page where a key replaces one text with another. */
async function openEmptyPage(browser: Browser): Promise<Stage> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.setContent('<!doctype html><article><p dir="auto">Text 0</p></article>')
  await page.evaluate(() => {
    let keys = 0
    window.addEventListener('keydown', () => {
      keys += 1
      const text = document.createElement('p')
      text.dir = 'auto'
      text.textContent = `Text ${keys}`
      document.querySelector('article p')?.replaceWith(text)
    })
  })
  return {
    page,
    nextText: () => `Text ${Number(document.querySelector('article p')?.textContent?.slice('Text '.length)) + 1}`,
  }
}

async function openDesk(browser: Browser, { origin, reviewerCookie }: Place): Promise<Stage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = reviewerCookie.split('=')
  await context.addCookies([{ name, value, url: origin }])
  const page = await context.newPage()
  await page.goto(`${origin}/queue`, { waitUntil: 'networkidle' })
  await page.getByRole('option').first().focus()
  return {
    page,
    nextText: () => {
      // A row of several items with the same text has the position of the first.
      const positionOf = (row: Element) => Number(row.ariaPosInSet)
      const rows = [...document.querySelectorAll('[role=option]')].sort((a, b) => positionOf(a) - positionOf(b))
      const next = rows[rows.findIndex((row) => row.ariaSelected === 'true') + 1]?.querySelector('[dir=auto]')
      if (!next?.textContent) throw new Error('The list ends here')
      return next.textContent
    },
  }
}

/** At a fixed pace: two approvals, then a rejection, which opens the reasons. */
async function pressOn({ page, nextText }: Stage, keys: number): Promise<Delay[]> {
  const delays: Delay[] = []
  await page.bringToFront()
  const startedAt = Date.now()
  for (let press = 0; press < keys; press += 1) {
    await sleep(Math.max(0, startedAt + press * EVERY_MS - Date.now()))
    const watched = await page.evaluateHandle(watchForPaint, {
      text: await page.evaluate(nextText),
      withinMs: PAINTED_WITHIN_MS,
    })
    await page.keyboard.press(press % 3 === 2 ? 'r' : 'a')
    delays.push(await watched.evaluate(({ delay }) => delay))
  }
  return delays
}

/**
 * Runs in the page. The delay runs from the browser's timestamp of the next key press to the frame that first shows `text`, according to
 * the Element Timing API. Event Timing would round to 8 ms and count the first frame after the key, whatever it shows; two animation frames
 * after the change would add up to a whole frame.
 */
function watchForPaint({ text, withinMs }: { text: string; withinMs: number }): { delay: Promise<Delay> } {
  return {
    delay: new Promise((resolve, reject) => {
      let pressedAt = Number.NaN
      let inPageAt = Number.NaN
      let listedAt = Number.NaN
      let paintedAt = Number.NaN
      const onKey = (event: KeyboardEvent) => {
        pressedAt = event.timeStamp
      }
      const changes = new MutationObserver(() => {
        // A row has the beginning of a long text.
        const shown = [...document.querySelectorAll('article [dir=auto]')].find((each) =>
          each.textContent.startsWith(text),
        )
        if (shown && !shown.hasAttribute('elementtiming')) {
          inPageAt = performance.now()
          shown.setAttribute('elementtiming', 'next')
        }
        const current = document.querySelector('[role=option][aria-selected=true] [dir=auto]') ?? shown
        if (Number.isNaN(listedAt) && current?.textContent.startsWith(text)) {
          listedAt = performance.now()
          endOnceBoth()
        }
      })
      const paints = new PerformanceObserver((list) => {
        const painted = list.getEntries().at(-1) as (PerformanceEntry & { renderTime: number }) | undefined
        paintedAt = painted?.renderTime ?? Number.NaN
        endOnceBoth()
      })
      const limit = setTimeout(() => {
        end()
        reject(new Error(`Not painted within ${withinMs} ms: ${text}`))
      }, withinMs)
      function endOnceBoth() {
        if (Number.isNaN(listedAt) || Number.isNaN(paintedAt)) return
        end()
        resolve({ inPage: inPageAt - pressedAt, painted: paintedAt - pressedAt, listed: listedAt - pressedAt })
      }
      function end() {
        clearTimeout(limit)
        changes.disconnect()
        paints.disconnect()
        window.removeEventListener('keydown', onKey, { capture: true })
      }
      window.addEventListener('keydown', onKey, { capture: true })
      const attributeFilter = ['aria-selected']
      changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter })
      paints.observe({ type: 'element' })
    }),
  }
}

function reportOf({ floor, desk }: Measured): Report {
  const painted = desk.map(({ painted }) => painted)
  const [inPage, listed] = [desk.map(({ inPage }) => inPage), desk.map(({ listed }) => listed)]
  return {
    scenario: `desk, ${KEYS} keys`,
    limits: [delaysAtMost('from a key to the next item painted', painted, PROMISED_MS)],
    table: {
      title: 'From a key to the next item',
      note:
        `One moderator decides every ${EVERY_MS} ms in a queue of ${HELD.toLocaleString('en')}, two approvals to a rejection. From the time stamp of the ` +
        'key to the frame that first shows the text of the next item. On an empty page, in turns with the desk, a key replaces one paragraph with another: ' +
        'that is what the browser and the machine take.',
      columns: ['ms', 'painted', 'of it until it is in the page', 'until the list has moved too', 'on an empty page'],
      rows: delayRows([painted, inPage, listed, floor.map(({ painted }) => painted)], 1),
    },
  }
}
