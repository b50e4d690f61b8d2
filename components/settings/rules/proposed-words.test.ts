import { expect, test } from 'vitest'
import { newGroup, newLeaf, toCondition } from './condition-draft.ts'
import { chosenWords, proposeConditions, proposeWords, toggleWord } from './proposed-words.ts'

test('proposes the domains of links together with the longest stretch of text, or a text as it is', () => {
  expect(
    toCondition(proposeConditions('See https://www.boats.example/a the cheapest boats and http://x.boats.example/b')),
  ).toMatchObject({
    kind: 'all',
    conditions: [
      { kind: 'domains', domains: ['boats.example', 'x.boats.example'], isListed: true },
      { kind: 'words', words: ['the cheapest boats and'] },
    ],
  })
  expect(toCondition(proposeConditions('https://boats.example/a'))).toMatchObject({ kind: 'domains' })
  expect(toCondition(proposeConditions(' Free\n boats! '))).toMatchObject({ kind: 'words', words: ['Free boats!'] })
  expect(proposeConditions(' … ').parts).toEqual([])
})

test('proposes of a long text as many whole words as a phrase may have', () => {
  expect(toCondition(proposeConditions('longer '.repeat(30)))).toMatchObject({
    words: ['longer '.repeat(14).trim()],
  })
  const [leaf] = proposeConditions('船'.repeat(300)).parts
  expect(leaf).toMatchObject({ values: { words: '船'.repeat(100) } })
})

test('proposes the domains that rules find, however they are written, and leaves out what only could be one', () => {
  const text =
    '看https://evil.example吧 clickhttp://evil.example/a www.evil.example hxxp://evil.example shop.com, see README.md'
  expect(proposeConditions(text).parts[0]).toMatchObject({ values: { domains: 'evil.example\nshop.com' } })
  expect(proposeWords(text)).toEqual(['readme'])
})

test('proposes the words of a text once, without links and short words', () => {
  expect(proposeWords('Buy boats, BOATS at https://spam.example/boats and größer 船')).toEqual(['boats', 'größer'])
})

test('a word is added to the condition on words, and removed again', () => {
  const start = newGroup('any', [{ ...newLeaf('domains'), values: { domains: 'boats.example', isListed: 'true' } }])
  const one = toggleWord(start, 'boats')
  const two = toggleWord(one, 'free')
  expect(chosenWords(two)).toEqual(['boats', 'free'])
  expect(toCondition(two)).toMatchObject({ kind: 'any', conditions: [{ kind: 'domains' }, { kind: 'words' }] })
  expect(toCondition(toggleWord(toggleWord(two, 'free'), 'boats'))).toEqual(toCondition(start))

  const together = toggleWord(toggleWord({ ...start, of: 'all' }, 'boats'), 'free')
  expect(toCondition(together)).toMatchObject({
    kind: 'all',
    conditions: [{ kind: 'domains' }, { words: ['boats'] }, { words: ['free'] }],
  })
})
