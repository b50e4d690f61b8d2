import { expect, test } from 'vitest'
import { isZone, zoneNames } from './zones.ts'

test.each(['Asia/Kathmandu', 'UTC', 'US/Pacific'])('%s is a time zone', (name) => expect(isZone(name)).toBe(true))

test.each(['', '+05:45', 'Mars/Olympus', 'Asia/Kathmandu; path=/'])('%j is not a time zone', (name) =>
  expect(isZone(name)).toBe(false))

test('lists time zones under their common names', () => {
  expect(zoneNames()).toEqual(expect.arrayContaining(['Asia/Kathmandu', 'Asia/Kolkata', 'Europe/Kyiv']))
  expect(zoneNames()).not.toContain('Asia/Calcutta')
})

test('lists UTC first and every time zone once', () => {
  const names = zoneNames()
  expect(names[0]).toBe('UTC')
  expect(names.every(isZone)).toBe(true)
  expect(new Set(names).size).toBe(names.length)
})
