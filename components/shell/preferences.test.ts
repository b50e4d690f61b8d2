import { expect, test } from 'vitest'
import type { Language } from '#components/i18n/locale.ts'
import type { ChosenPreferences } from '#server/modules/preferences/schema.ts'
import { changed, toCookies } from './preferences.ts'
import { preferencesOf } from './preferences-of.ts'

const read = (cookies: Record<string, string>, chosen: ChosenPreferences = {}, asked?: Language) =>
  preferencesOf(chosen, (name) => cookies[name], asked)

const cookiesOf = (look: Parameters<typeof toCookies>[0]) => {
  const pairs = toCookies(look).map((cookie) => cookie.split(';', 1)[0]?.split('=') as [string, string])
  return Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]))
}

test('where nothing was chosen the system decides the theme, the zone is not known, and pictures are covered', () => {
  const preferences = read({})
  expect(preferences).toMatchObject({
    theme: 'system',
    density: 'comfortable',
    isMediaCovered: true,
    coveredText: 'none',
  })
  expect(preferences).not.toHaveProperty('zone')
})

test('a browser looks as it last did', () => {
  const look = { zone: 'Asia/Kathmandu', theme: 'dark', density: 'compact' } as const
  expect(read(cookiesOf(look))).toMatchObject({ ...look, isZoneChosen: false })
})

test('what was chosen on another browser wins over what this one was', () => {
  const cookies = cookiesOf({ zone: 'Asia/Kathmandu', theme: 'dark', density: 'compact' })
  const chosen = { zone: 'Europe/Lisbon', theme: 'light' } as const
  expect(read(cookies, chosen)).toMatchObject({ ...chosen, density: 'compact', isZoneChosen: true })
})

test('the desk speaks what was chosen, else what this browser last spoke, else what it asks for, else English', () => {
  const cookies = cookiesOf({ language: 'de' })
  expect(read(cookies, { language: 'ar' }, 'en')).toMatchObject({ language: 'ar' })
  expect(read(cookies, {}, 'ar')).toMatchObject({ language: 'de' })
  expect(read({}, {}, 'ar')).toMatchObject({ language: 'ar' })
  expect(read({})).toMatchObject({ language: 'en' })
})

test('what cannot be used is as if it were not there', () => {
  const cookies = {
    docket_zone: 'Mars/Olympus',
    docket_theme: '"><script>',
    docket_density: 'huge',
    docket_language: 'toString',
  }
  expect(read(cookies, { zone: 'Gone/Zone' })).toEqual(read({}))
})

test('a change names what changes; null goes back to the browser, or to never', () => {
  const before = read({}, { zone: 'Europe/Lisbon', pauseAfterMinutes: 45, theme: 'dark' })
  const after = changed(before, { zone: null, pauseAfterMinutes: null, density: 'compact' }, 'Asia/Kathmandu')
  expect(after).toMatchObject({ zone: 'Asia/Kathmandu', isZoneChosen: false, theme: 'dark', density: 'compact' })
  expect(after).not.toHaveProperty('pauseAfterMinutes')
  expect(changed(before, { theme: 'light' }, 'Asia/Kathmandu')).toEqual({ ...before, theme: 'light' })
})
