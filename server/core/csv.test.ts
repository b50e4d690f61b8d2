import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('quotes what needs it and never lets a spreadsheet run a cell', () => {
  expect(csvLine(['day', 3, undefined, 'a, "b"'])).toBe('day,3,,"a, ""b"""\r\n')
  expect(csvLine(['=1+1', '-2', '@x', -2])).toBe("'=1+1,'-2,'@x,-2\r\n")
  expect(csvLine(['a;=1+1;b', ';;@x', 'a=1'])).toBe("a;'=1+1;b,;;'@x,a=1\r\n")
})
