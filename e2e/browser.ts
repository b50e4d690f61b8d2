import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** The headless shell first, as in Playwright: tests take two thirds of the time in it. */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Chromium's sandbox doesn't run as root; nothing here needs a GPU, QUIC or a Google service. */
export const BROWSER_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The Chromium to test with: CHROMIUM_PATH, else Playwright's own, else the system's. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  const candidates = named ? [named] : [chromium.executablePath(), ...systemPaths()]
  return candidates.find(isExecutable)
}

function systemPaths(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
