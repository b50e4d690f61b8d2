import { expect, test } from 'vitest'
import { textOfFile, toWordFile, withWords, wordsIn } from './word-file.ts'

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

test('a line break in quotes is part of a word, in the first column and in others', () => {
  expect(wordsIn('"free\r\nnow";3\n"boat";"two\nlines"\nferry;5" pipe\n"harbour"')).toEqual([
    'free now',
    'boat',
    'ferry',
    'harbour',
  ])
  expect(wordsIn('"never closed\nboat')).toEqual(['"never closed', 'boat'])
})

test('reads UTF-8, UTF-16 and Windows-1252', () => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...'Straße'].flatMap((letter) => [letter.charCodeAt(0), 0])])
  expect(textOfFile(utf16).replace('\uFEFF', '')).toBe('Straße')
  expect(textOfFile(new TextEncoder().encode('Straße, 安い'))).toBe('Straße, 安い')
  expect(textOfFile(new Uint8Array([0x53, 0x74, 0x72, 0x61, 0xdf, 0x65, 0x80]))).toBe('Straße€')
})

test('adds each word once, whatever its case, after those that are there', () => {
  expect(withWords(['Boat', 'ferry'], ['boat', 'Harbour', 'HARBOUR', 'ferry'])).toEqual(['Boat', 'ferry', 'Harbour'])
})
