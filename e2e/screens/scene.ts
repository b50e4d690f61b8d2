import type { Browser, Page } from '@playwright/test'
import type { Database } from '#server/core/database/open-database.ts'
import { openWave } from '../desk-pages.ts'
import { expect } from '../fixtures.ts'
import { type Account, type Cast, itemOf } from './stage.ts'

export type Look = `${1440 | 320}-${'light' | 'dark'}`

export const WIDE: Look[] = ['1440-light']
export const BOTH_WIDTHS: Look[] = ['1440-light', '320-light']
export const ALL: Look[] = ['1440-light', '1440-dark', '320-light', '320-dark']

export interface Scene {
  page: Page
  browser: Browser
  database: Database
  /** Signs in, as the moderator by default, and opens the queue. */
  open(search?: string, as?: Account): Promise<void>
  /** Takes the screenshot: of the page, or of the dialog and some of the page around it. */
  shoot(): Promise<void>
}

export interface Screen {
  looks: Look[]
  /** Opens the screen, takes the screenshot and restores the sample data. */
  show(scene: Scene): Promise<void>
}

export const DESK = process.env.DESK_URL ?? ''
export const CAST = JSON.parse(process.env.DESK_CAST ?? '{}') as Cast

export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  const answer = await page.request.post(`${DESK}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: DESK },
  })
  expect(answer.ok()).toBe(true)
}

export async function chooseSix(page: Page): Promise<void> {
  await page.getByRole('option').nth(1).focus()
  await page.keyboard.press('x')
  for (let more = 1; more < 6; more += 1) await page.keyboard.press('Shift+J')
  await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('6 selected')
}

export async function openTenPlaces({ page, database, open }: Scene): Promise<void> {
  await open(`?item=${await itemOf(database, 'Only ten places')}`)
  await expect(await openWave(page)).toContainText('Review the 6 items below')
}
