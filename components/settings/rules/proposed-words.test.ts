import { expect, test } from 'vitest'
import { toCondition } from './condition-draft.ts'
import { chosenWords, proposeConditions, proposeForWave, proposeWords, toggleWord } from './proposed-words.ts'

test('proposes the domains of links, else a short text as a phrase, else nothing', () => {
  expect(toCondition(proposeConditions('See https://www.boats.example/a and http://x.boats.example/b'))).toEqual({
    kind: 'domains',
    domains: ['boats.example', 'x.boats.example'],
    isListed: true,
  })
  expect(toCondition(proposeConditions(' Free\n boats! '))).toMatchObject({ kind: 'words', words: ['Free boats!'] })
  expect(proposeConditions('long '.repeat(30)).parts).toEqual([])
})

test('proposes the domains that rules find, however they are written, and leaves out what only could be one', () => {
  const text =
    '看https://evil.example吧 clickhttp://evil.example/a www.evil.example hxxp://evil.example shop.com, see README.md'
  expect(toCondition(proposeConditions(text))).toMatchObject({ domains: ['evil.example', 'shop.com'] })
  expect(proposeWords(text)).toEqual(['readme'])
})

test('proposes the words of a text once, without links and short words', () => {
  expect(proposeWords('Buy boats, BOATS at https://spam.example/boats and größer 船')).toEqual(['boats', 'größer'])
})

test('a word is added to the condition on words, and removed again', () => {
  const start = proposeConditions('See https://boats.example/a')
  const one = toggleWord(start, 'boats')
  const two = toggleWord(one, 'free')
  expect(chosenWords(two)).toEqual(['boats', 'free'])
  expect(toCondition(two)).toMatchObject({ kind: 'any', conditions: [{ kind: 'domains' }, { kind: 'words' }] })
  expect(toCondition(toggleWord(toggleWord(two, 'free'), 'boats'))).toEqual(toCondition(start))
})

test('a rule from a wave asks for its longest words together with one of its domains', () => {
  const words = ['cheap', 'simple', 'watches', 'brands']
  const start = proposeForWave({ words, domains: ['one.example', 'two.example'] })
  expect(toCondition(start)).toMatchObject({
    kind: 'all',
    conditions: [
      { kind: 'domains', domains: ['one.example', 'two.example'] },
      { kind: 'words', words: ['simple'] },
      { kind: 'words', words: ['watches'] },
      { kind: 'words', words: ['brands'] },
    ],
  })
  const narrower = toggleWord(start, 'cheap')
  expect(chosenWords(narrower)).toEqual(['simple', 'watches', 'brands', 'cheap'])
  expect(toCondition(toggleWord(narrower, 'cheap'))).toEqual(toCondition(start))
  expect(toCondition(proposeForWave({ words: ['cheap'], domains: [] }))).toMatchObject({ kind: 'words' })
})
