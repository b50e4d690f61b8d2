import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['Asha Thapa', 'AT'],
  ['  ana maria de la cruz ', 'AC'],
  ['Plato', 'P'],
  ['𐐨𐐩 𐐪', '𐐀𐐂'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
