import { expect, test } from 'vitest'
import type { Language } from '#components/i18n/locale.ts'
import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'
import { changed, toCookies } from './preferences.ts'
import { preferencesOf } from './preferences-of.ts'

const read = (cookies: Record<string, string>, chosen: ChosenPreferences = {}, asked?: Language) =>
  preferencesOf(chosen, (name) => cookies[name], asked)

const cookiesOf = (look: Parameters<typeof toCookies>[0]) => {
  const pairs = toCookies(look).map((cookie) => cookie.split(';', 1)[0]?.split('=') as [string, string])
  return Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]))
}

test('without preferences the theme follows the system, the time zone is unknown and images are hidden', () => {
  const preferences = read({})
  expect(preferences).toMatchObject({
    theme: 'system',
    density: 'comfortable',
    isMediaCovered: true,
    coveredText: 'none',
  })
  expect(preferences).not.toHaveProperty('zone')
})

test('uses the last appearance of the browser', () => {
  const look = { zone: 'Asia/Kathmandu', theme: 'dark', density: 'compact' } as const
  expect(read(cookiesOf(look))).toMatchObject({ ...look, isZoneChosen: false })
})

test('preferences saved in another browser override local ones', () => {
  const cookies = cookiesOf({ zone: 'Asia/Kathmandu', theme: 'dark', density: 'compact' })
  const chosen = { zone: 'Europe/Lisbon', theme: 'light' } as const
  expect(read(cookies, chosen)).toMatchObject({ ...chosen, density: 'compact', isZoneChosen: true })
})

test('picks the saved language, then the last one, then the browser language, then English', () => {
  const cookies = cookiesOf({ language: 'de' })
  expect(read(cookies, { language: 'ar' }, 'en')).toMatchObject({ language: 'ar' })
  expect(read(cookies, {}, 'ar')).toMatchObject({ language: 'de' })
  expect(read({}, {}, 'ar')).toMatchObject({ language: 'ar' })
  expect(read({})).toMatchObject({ language: 'en' })
})

test('ignores invalid values', () => {
  const cookies = {
    docket_zone: 'Mars/Olympus',
    docket_theme: '"><script>',
    docket_density: 'huge',
    docket_language: 'toString',
  }
  expect(read(cookies, { zone: 'Gone/Zone' })).toEqual(read({}))
})

test('a change lists only what changes, and null resets it', () => {
  const before = read({}, { zone: 'Europe/Lisbon', pauseAfterMinutes: 45, theme: 'dark' })
  const after = changed(before, { zone: null, pauseAfterMinutes: null, density: 'compact' }, 'Asia/Kathmandu')
  expect(after).toMatchObject({ zone: 'Asia/Kathmandu', isZoneChosen: false, theme: 'dark', density: 'compact' })
  expect(after).not.toHaveProperty('pauseAfterMinutes')
  expect(changed(before, { theme: 'light' }, 'Asia/Kathmandu')).toEqual({ ...before, theme: 'light' })
})
