import { expect, test } from 'vitest'
import { combosInForce, holderOf, isChangeable, isFree, withKey } from './own-keys.ts'
import { printedKeys, shortcutOf } from './printed-keys.ts'

const DESK = { keys: {}, areSingleKeysOff: false }

test('a custom key replaces the first default key and keeps the others', () => {
  const own = { ...DESK, keys: { takeBack: 'y' } }
  expect(combosInForce('takeBack', ['u', 'mod+z'], own)).toEqual(['y', 'mod+z'])
  expect(combosInForce('takeBack', ['u', 'mod+z'], DESK)).toEqual(['u', 'mod+z'])
  expect(combosInForce('takeBack', ['u', 'mod+z'], { ...DESK, keys: { takeBack: 'mod+z' } })).toEqual(['mod+z'])
})

test('with single-key shortcuts off only modified and named keys remain', () => {
  const off = { ...DESK, areSingleKeysOff: true }
  expect(combosInForce('takeBack', ['u', 'mod+z'], off)).toEqual(['mod+z'])
  expect(combosInForce('next', ['j', 'shift+j', 'ArrowDown'], off)).toEqual(['ArrowDown'])
  expect(combosInForce('approve', ['a'], { ...off, keys: { approve: 'mod+e' } })).toEqual(['mod+e'])
})

test('letters and symbols can be changed, navigation keys and digits cannot', () => {
  expect([['a'], ['?'], ['j', 'ArrowDown']].map(isChangeable)).toEqual([true, true, true])
  expect([['Enter'], ['Escape'], ['1', '2'], ['mod+a'], []].map(isChangeable)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test.each(['a', 'é', ';', 'mod+e', 'mod+b', 'Delete', 'F8'])('%s is available', (combo) => {
  expect(isFree(combo)).toBe(true)
})

test.each(['Enter', 'ArrowDown', 'shift+ArrowDown', 'mod+c', 'mod+w', 'mod+k', '7'])('%s is reserved', (combo) => {
  expect(isFree(combo)).toBe(false)
})

test('prints keys for display and for screen readers', () => {
  expect(printedKeys('mod+z', false)).toEqual(['Ctrl', 'Z'])
  expect(printedKeys('mod+z', true)).toEqual(['⌘', 'Z'])
  expect(printedKeys('mod++', false)).toEqual(['Ctrl', '+'])
  expect(printedKeys('ArrowDown', false)).toEqual(['↓'])
  expect(['mod+z', '+', 'a'].map(shortcutOf)).toEqual(['Control+Z', 'Plus', 'A'])
})

const TABLE = [
  { act: 'approve', combos: ['a'] },
  { act: 'reject', combos: ['r'] },
  { act: 'takeBack', combos: ['u', 'mod+z'] },
]

test('finds the action that uses a key and can swap the keys', () => {
  expect(holderOf(TABLE, {}, 'r')).toBe('reject')
  expect(holderOf(TABLE, {}, 'mod+z')).toBe('takeBack')
  expect(holderOf(TABLE, { reject: 'y' }, 'r')).toBeUndefined()

  const swapped = withKey(TABLE, {}, { act: 'approve', combo: 'r' })
  expect(swapped).toEqual({ approve: 'r', reject: 'a' })
  expect(withKey(TABLE, swapped, { act: 'approve', combo: 'a' })).toEqual({})
})

test('stores only keys that differ from the defaults', () => {
  expect(withKey(TABLE, { approve: 'y' }, { act: 'approve', combo: 'a' })).toEqual({})
})
