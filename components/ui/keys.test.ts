import { expect, test } from 'vitest'
import { comboOf } from './keys.ts'

const press = (key: string, held: Partial<Parameters<typeof comboOf>[0]> = {}) =>
  comboOf({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held })

test('treats a letter the same with caps lock on', () => {
  expect([press('a'), press('A')]).toEqual(['a', 'a'])
})

test('Shift changes a letter or an arrow key, and belongs to a symbol', () => {
  const shift = { shiftKey: true }
  expect([press('J', shift), press('ArrowDown', shift)]).toEqual(['shift+j', 'shift+ArrowDown'])
  expect([press('?', shift), press('!', shift), press(' ', shift)]).toEqual(['?', '!', ' '])
  expect(press('Z', { ...shift, ctrlKey: true })).toBe('shift+mod+z')
})

test('treats Control and Command as one modifier', () => {
  expect([press('z', { ctrlKey: true }), press('z', { metaKey: true })]).toEqual(['mod+z', 'mod+z'])
})

test('leaves keys with Alt to the system', () => {
  expect(press('a', { altKey: true })).toBeUndefined()
})

test('a letter or digit of another script is that of its key on an English keyboard', () => {
  expect(press('ф', { code: 'KeyA' })).toBe('a')
  expect(press('Ф', { code: 'KeyA', shiftKey: true })).toBe('shift+a')
  expect([press('ش', { code: 'KeyA' }), press('α', { code: 'KeyA' }), press('ㅁ', { code: 'KeyA' })]).toEqual([
    'a',
    'a',
    'a',
  ])
  expect([press('١', { code: 'Digit1' }), press('я', { code: 'KeyZ', ctrlKey: true })]).toEqual(['1', 'mod+z'])
})

test('a letter of a Latin keyboard is what is on it, wherever it is', () => {
  expect([press('a', { code: 'KeyQ' }), press('z', { code: 'KeyY' }), press('é', { code: 'Digit2' })]).toEqual([
    'a',
    'z',
    'é',
  ])
})
