import { expect, test } from 'vitest'
import { findUnwantedWords, unwantedWordsIn } from './find-unwanted-words.ts'

test('no file uses a word that the glossary replaces', () => {
  expect(findUnwantedWords()).toEqual([])
})

// Written in two pieces, since this file is searched too.
test.each([
  ['an identifier', 'server/x.ts', `const ${'happen'}ing = 1`, 'use event'],
  ['the name of a file', `server/${'do'}${'or'}.ts`, '', 'use source'],
  ['a comment', 'server/x.ts', `/** Nobody ${'is to'}ld. */`, 'use an active verb'],
  ['the name of a test', 'server/x.test.ts', `test('what ${'wa'}its is listed', () => {`, 'use is waiting, pending'],
  ['a document', 'docs/x.md', `It ${'stan'}ds.`, 'use the state itself'],
  ['an English message', 'components/i18n/messages/en/x.ts', `a: '${'Taken ba'}ck',`, 'use undo'],
])('finds an unwanted word in %s', (_where, file, text, hint) => {
  expect(unwantedWordsIn(file, text)).toEqual([expect.stringContaining(hint)])
})

test('leaves the code of a file alone where only a text would be wrong', () => {
  expect(unwantedWordsIn('server/x.ts', `const row = await read('it ${'stan'}ds')`)).toEqual([])
})
