import { expect, test } from 'vitest'
import { toWordFile, withWords, wordsIn } from './word-file.ts'

test('words stay the same in a file, whatever is in them', () => {
  const words = ['boat', 'free, now', '5" pipe', '=SUM(A1)', "'=SUM(A1)", "'quoted'", '-10%', '安い', 'a;b\tc']
  expect(wordsIn(toWordFile(words))).toEqual(words)
})

test('reads the first column of files that other programs write', () => {
  expect(wordsIn('\uFEFFWord;Hits\r\nboat;3\r\n"free; now";4\r\n\r\n')).toEqual(['boat', 'free; now'])
  expect(wordsIn('boat,3\rferry')).toEqual(['boat', 'ferry'])
  expect(wordsIn('boat\nword\n  \n harbour ')).toEqual(['boat', 'word', 'harbour'])
  expect(wordsIn('')).toEqual([])
})

test('adds each word once, whatever its case, after those that are there', () => {
  expect(withWords(['Boat', 'ferry'], ['boat', 'Harbour', 'HARBOUR', 'ferry'])).toEqual(['Boat', 'ferry', 'Harbour'])
})
