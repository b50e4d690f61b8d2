import { expect, test } from 'vitest'
import { combosInForce, holderOf, isChangeable, isFree, withKey } from './own-keys.ts'
import { printedKeys, shortcutOf } from './printed-keys.ts'

const DESK = { keys: {}, areSingleKeysOff: false }

test("a person's own key stands in the place of the first, and the others stay", () => {
  const own = { ...DESK, keys: { takeBack: 'y' } }
  expect(combosInForce('takeBack', ['u', 'mod+z'], own)).toEqual(['y', 'mod+z'])
  expect(combosInForce('takeBack', ['u', 'mod+z'], DESK)).toEqual(['u', 'mod+z'])
  expect(combosInForce('takeBack', ['u', 'mod+z'], { ...DESK, keys: { takeBack: 'mod+z' } })).toEqual(['mod+z'])
})

test('where single keys are off, only keys that nobody types by accident are left', () => {
  const off = { ...DESK, areSingleKeysOff: true }
  expect(combosInForce('takeBack', ['u', 'mod+z'], off)).toEqual(['mod+z'])
  expect(combosInForce('next', ['j', 'shift+j', 'ArrowDown'], off)).toEqual(['ArrowDown'])
  expect(combosInForce('approve', ['a'], { ...off, keys: { approve: 'mod+e' } })).toEqual(['mod+e'])
})

test('letters and signs may be given another key; what moves and closes everywhere, and digits, may not', () => {
  expect([['a'], ['?'], ['j', 'ArrowDown']].map(isChangeable)).toEqual([true, true, true])
  expect([['Enter'], ['Escape'], ['1', '2'], ['mod+a'], []].map(isChangeable)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test.each(['a', 'é', ';', 'mod+e', 'mod+b', 'Delete', 'F8'])('%s is free', (combo) => {
  expect(isFree(combo)).toBe(true)
})

test.each([
  'Enter',
  'ArrowDown',
  'shift+ArrowDown',
  'mod+c',
  'mod+w',
  'mod+k',
  '7',
])('%s belongs to somebody else', (combo) => {
  expect(isFree(combo)).toBe(false)
})

test('keys read as they are printed, and as listeners are told', () => {
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

test('a key that another act has is told, and swapped on request, so that no act is without', () => {
  expect(holderOf(TABLE, {}, 'r')).toBe('reject')
  expect(holderOf(TABLE, {}, 'mod+z')).toBe('takeBack')
  expect(holderOf(TABLE, { reject: 'y' }, 'r')).toBeUndefined()

  const swapped = withKey(TABLE, {}, { act: 'approve', combo: 'r' })
  expect(swapped).toEqual({ approve: 'r', reject: 'a' })
  expect(withKey(TABLE, swapped, { act: 'approve', combo: 'a' })).toEqual({})
})

test('only what differs from the desk is kept', () => {
  expect(withKey(TABLE, { approve: 'y' }, { act: 'approve', combo: 'a' })).toEqual({})
})
