import { expect, test } from 'vitest'
import { isZone, zoneNames } from './zones.ts'

test.each(['Asia/Kathmandu', 'UTC', 'US/Pacific'])('%s is a zone', (name) => expect(isZone(name)).toBe(true))

test.each(['', '+05:45', 'Mars/Olympus', 'Asia/Kathmandu; path=/'])('%j is no zone', (name) =>
  expect(isZone(name)).toBe(false))

test('zones have the names people look for', () => {
  expect(zoneNames()).toEqual(expect.arrayContaining(['Asia/Kathmandu', 'Asia/Kolkata', 'Europe/Kyiv']))
  expect(zoneNames()).not.toContain('Asia/Calcutta')
})

test('UTC comes first and every name is a zone, once', () => {
  const names = zoneNames()
  expect(names[0]).toBe('UTC')
  expect(names.every(isZone)).toBe(true)
  expect(new Set(names).size).toBe(names.length)
})
