import type { Page } from '@playwright/test'

const POINTER_EVENTS = ['pointerdown', 'pointermove', 'mousedown', 'mousemove', 'touchstart', 'wheel']

/** Records pointer events from the next page load on. */
export async function listenForPointer(page: Page): Promise<void> {
  await page.addInitScript((names) => {
    const seen: string[] = []
    Object.assign(window, { pointerEvents: seen })
    let place = '0 0'
    const hear = ({ type, clientX, clientY }: MouseEvent) => {
      // When the page moves under a resting pointer, browsers send a move event for it.
      const isMove = type.endsWith('move')
      if (!isMove || place !== `${clientX} ${clientY}`) seen.push(type)
      place = `${clientX} ${clientY}`
    }
    for (const name of names)
      window.addEventListener(name, (event) => hear(event as MouseEvent), { capture: true, passive: true })
  }, POINTER_EVENTS)
}

/** The types of all pointer events so far. */
export function pointerEventsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { pointerEvents: string[] }).pointerEvents)
}
