import { expect, test } from 'vitest'
import { comboOf } from './keys.ts'

const press = (key: string, held: Partial<Parameters<typeof comboOf>[0]> = {}) =>
  comboOf({ key, altKey: false, ctrlKey: false, metaKey: false, ...held })

test('a letter counts the same with caps lock on', () => {
  expect([press('a'), press('A')]).toEqual(['a', 'a'])
})

test('control and command are one modifier', () => {
  expect([press('z', { ctrlKey: true }), press('z', { metaKey: true })]).toEqual(['mod+z', 'mod+z'])
})

test('with alt a key belongs to the system', () => {
  expect(press('a', { altKey: true })).toBeUndefined()
})
