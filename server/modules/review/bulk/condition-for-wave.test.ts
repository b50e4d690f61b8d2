import { expect, test } from 'vitest'
import { conditionForWave } from '#server/modules/review/bulk/condition-for-wave.ts'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
import { type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'
import { scaled } from '#server/testing/scaled.ts'
import { writtenTexts } from '#server/testing/waves.ts'

/** Which of the texts a rule with this condition finds. */
async function foundBy(condition: Condition, texts: string[]): Promise<string[]> {
  const rules = await compileRules([{ ruleId: 'rule', version: 1, condition: Conditions.parse(condition) }])
  return texts.filter(
    (text) => judge(rules, { texts: [{ field: 'text', text }], mentions: 0, media: [] }).fired.length > 0,
  )
}

test('looks for the phrases that all texts have, and one of their domains', async () => {
  const texts = [
    'Ann: cheap watches and fine brands at https://one.example/a, order yours today',
    'Bob: CHEAP  watches, and fine brands at two.example/b — order yours today!',
    'Eve: cheap wätches and fine brands at www.two.example order yours today',
  ]
  expect(await conditionForWave(texts)).toEqual({
    kind: 'all',
    conditions: [
      { kind: 'domains', domains: ['one.example', 'two.example'], isListed: true },
      { kind: 'words', words: ['cheap watches and fine brands at'], match: 'word', spelling: 'similar' },
      { kind: 'words', words: ['order yours today'], match: 'word', spelling: 'similar' },
    ],
  })
})

test('no phrase goes over a link, and is longer than a rule may look for', async () => {
  const texts = Array.from(
    { length: 3 },
    (_, at) => `${at} join the ${'great '.repeat(30)}https://a.example club of boats`,
  )
  expect(await conditionForWave(texts)).toMatchObject({
    conditions: [
      { kind: 'domains' },
      { words: [`join the ${'great '.repeat(15).trim()}`] },
      { words: ['club of boats'] },
    ],
  })
})

test('texts that share too little are divided by a word, and the rule finds all of them', async () => {
  const texts = ['blue boats sail along', 'blue boats sail away', 'green trains run along', 'green trains run away']
  const condition = (await conditionForWave(texts)) ?? expect.fail()
  expect(condition).toMatchObject({ kind: 'any', conditions: [{}, {}] })
  expect(await foundBy(condition, [...texts, 'blue trains sail along', 'green boats run away'])).toEqual(texts)
})

test('texts that share no word start no rule', async () => {
  expect(await conditionForWave([])).toBeUndefined()
  expect(await conditionForWave(['…', '!!!'])).toBeUndefined()
})

test('of generated waves, whose texts are edited at random, most are found, and next to nothing that others write', async () => {
  const { wave, text } = writtenTexts()
  const others = Array.from({ length: 300 }, text)
  const waves = Array.from({ length: scaled(6) }, () => wave(30))
  let [found, foundOthers] = [0, 0]
  for (const texts of waves) {
    const condition = (await conditionForWave(texts)) ?? expect.fail()
    found += (await foundBy(condition, texts)).length
    foundOthers += (await foundBy(condition, others)).length
  }
  expect(found / (waves.length * 30)).toBeGreaterThan(0.7)
  expect(foundOthers / (waves.length * others.length)).toBeLessThan(0.005)
})
