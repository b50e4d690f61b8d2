import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Automaton } from '#server/modules/rules/conditions/automaton.ts'

/** Letters of few kinds, so that words begin and end alike, with some beyond the first plane. */
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '看', '😀') })

async function found(words: string[], text: string, { atMost = Number.POSITIVE_INFINITY } = {}) {
  const all: string[] = []
  const automaton = await Automaton.of(words)
  automaton.find(text, (word, end) => all.push(`${words[word]} ${end}`) < atMost)
  return all
}

/** What `found` returns, by looking for each word at each place, longer words first where several end. */
function foundNaively(words: string[], text: string): string[] {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return Array.from({ length: text.length }, (_, at) => at + 1).flatMap((end) =>
    longestFirst.filter((word) => text.slice(0, end).endsWith(word)).map((word) => `${word} ${end}`),
  )
}

test('finds each word wherever it ends, also within others, as a look at each place does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(letters, { maxLength: 30 }), fc.string({ unit: letters }), async (given, text) => {
      const words = [...new Set(given)].filter((word) => word !== '').sort()
      expect(await found(words, text)).toEqual(foundNaively(words, text))
    }),
  )
})

test('stops when that was enough', async () => {
  expect(await found(['a'], 'a'.repeat(100), { atMost: 3 })).toEqual(['a 1', 'a 2', 'a 3'])
})

test('lets others have their turn while it is built', async () => {
  const words = Array.from({ length: 1_000 }, (_, index) => `${index}`.repeat(100).slice(0, 100)).sort()
  let [turns, isDone] = [0, false]
  const countTurn = () => {
    turns += 1
    if (!isDone) setImmediate(countTurn)
  }
  countTurn()
  await Automaton.of([...new Set(words)])
  isDone = true
  expect(turns).toBeGreaterThan(10)
})
