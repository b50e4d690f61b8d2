import { expect, test } from 'vitest'
import { readPreferences, toCookies } from './preferences.ts'

const read = (cookies: Record<string, string>) => readPreferences((name) => cookies[name])

test('without cookies the system decides the theme, and the zone is not known', () => {
  expect(read({})).toEqual({ theme: 'system', density: 'comfortable' })
})

test('what was kept is read again', () => {
  const kept = { zone: 'Asia/Kathmandu', theme: 'dark', density: 'compact' } as const
  const pairs = toCookies(kept).map((cookie) => cookie.split(';', 1)[0]?.split('=') as [string, string])
  const cookies = Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]))
  expect(read(cookies)).toEqual(kept)
})

test('what cannot be used is as if it were not there', () => {
  const cookies = { docket_zone: 'Mars/Olympus', docket_theme: '"><script>', docket_density: 'huge' }
  expect(read(cookies)).toEqual({ theme: 'system', density: 'comfortable' })
})
