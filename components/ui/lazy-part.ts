import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/**
 * A part of the page that is loaded when it is first shown, and not while the browser is offline: what could not be loaded once is
 * not asked for again until the page is. Where it cannot be loaded nothing stands in its place, and the rest of the page goes on.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await online()
    return { default: await load().catch(() => Nothing) }
  })
}

const Nothing = () => null

/** On the server nobody is offline. */
async function online(): Promise<void> {
  if (navigator.onLine !== false) return
  await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
}
