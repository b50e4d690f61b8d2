import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeText } from '#server/core/similarity/normalize-text.ts'
import { NO_TEXT_KEY, textKeyOf } from '#server/modules/content/items/text-key.ts'
import { scaled } from '#server/testing/scaled.ts'

/** A sentence in each of twelve scripts. */
const SENTENCES = {
  Latin: 'The ferry runs again from Monday',
  Cyrillic: 'Паром снова ходит с понедельника',
  Greek: 'Το πλοίο κάνει πάλι δρομολόγια',
  Armenian: 'Լաստանավը կրկին աշխատում է',
  Georgian: 'ბორანი ისევ დადის ორშაბათიდან',
  Arabic: 'العبّارة تعمل من جديد يوم الاثنين',
  Hebrew: 'המעבורת פועלת שוב מיום שני',
  Devanagari: 'नाव सोमवार से फिर चलती है',
  Thai: 'เรือข้ามฟากกลับมาวิ่งอีกครั้ง',
  Hangul: '월요일부터 다시 운항합니다',
  Kana: 'フェリーはげつようびからふたたび',
  Han: '渡轮从周一起恢复通航',
}

const comment = (text: unknown) =>
  textKeyOf({ subjectType: 'comment', communityId: 'harbour', data: { text }, hasFiles: false })

const SENTENCE = fc.constantFrom(...Object.values(SENTENCES))
const NOISE = fc.constantFrom(' ', '\u200b', '!', '…', '\t\n', '\u00ad', '—', '\u2060', '。', '\ufe0f')

test.each(
  Object.entries(SENTENCES),
)('%s text keeps its letters, and other text in it is another key', (_, sentence) => {
  expect(normalizeText(sentence).length).toBeGreaterThan(8)
  const words = sentence.split(' ')
  const shorter = words.length > 1 ? words.slice(1).join(' ') : sentence.slice(2)
  expect(comment(shorter)).not.toBe(comment(sentence))
})

test('ignores case, spaces, punctuation, invisible characters and letters written several times, in twelve scripts', () => {
  const disguised = SENTENCE.chain((sentence) =>
    fc.record({
      sentence: fc.constant(sentence),
      isUpper: fc.boolean(),
      // A mark belongs to the letter before it.
      noise: fc.array(fc.tuple(fc.nat(3), fc.option(NOISE)), {
        minLength: sentence.length,
        maxLength: sentence.length,
      }),
    }),
  )
  fc.assert(
    fc.property(disguised, ({ sentence, isUpper, noise }) => {
      const clusters = [...sentence.normalize('NFKD').matchAll(/\P{M}\p{M}*/gu)].map(([cluster]) => cluster)
      const written = clusters.map((cluster, index) => {
        const [times = 0, sign] = noise[index] ?? []
        return `${cluster.repeat(/^\p{L}/u.test(cluster) ? times + 1 : 1)}${sign ?? ''}`
      })
      const text = written.join('')
      expect(comment(isUpper ? text.toUpperCase() : text)).toBe(comment(sentence))
    }),
  )
})

test('ignores which of several scripts a letter is borrowed from, and its width and style', () => {
  expect(comment('Сһеар wаtсһеѕ')).toBe(comment('cheap watches'))
  expect(comment('ｃｈｅａｐ 𝔀𝓪𝓽𝓬𝓱𝓮𝓼')).toBe(comment('cheap watches'))
  expect(comment('сһєаρ ѡatсhеs')).toBe(comment('cheap watches'))
  expect(comment('العبارة تعمل یوم الاثنين')).toBe(comment('العَبّارة تعملـ يوم الإثنين'))
})

test('tells apart what says something else: accents, digits, emoji, titles of posts', () => {
  const pairs = [
    ['Feliz ano', 'Feliz año'],
    ['Send 100', 'Send 1000'],
    ['👍', '👎'],
    ['ма', 'мо'],
  ] as const
  for (const [one, other] of pairs) expect(comment(one)).not.toBe(comment(other))
  const post = (data: object) => textKeyOf({ subjectType: 'post', communityId: 'harbour', data, hasFiles: false })
  expect(post({ title: 'a', text: 'b' })).not.toBe(post({ title: 'ab', text: '' }))
  expect(post({ text: 'b' })).not.toBe(comment('b'))
})

test('is in no group without text, with files and outside a community, and in one group in one community', () => {
  const written = { subjectType: 'comment', communityId: 'harbour', data: { text: 'words' }, hasFiles: false } as const
  for (const empty of ['', '  \u200b ', '?!…', undefined, 7, null]) expect(comment(empty)).toBe(NO_TEXT_KEY)
  expect(textKeyOf({ ...written, data: null })).toBe(NO_TEXT_KEY)
  expect(textKeyOf({ ...written, hasFiles: true })).toBe(NO_TEXT_KEY)
  expect(textKeyOf({ ...written, communityId: null })).toBe(NO_TEXT_KEY)
  expect(textKeyOf({ ...written, communityId: 'market' })).not.toBe(textKeyOf(written))
  expect(comment('a')).not.toBe(comment('b'))
})

test('normalising a normalised text changes nothing, whatever it contains', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  fc.assert(
    fc.property(anything, (text) => {
      const once = normalizeText(text)
      expect(normalizeText(once)).toBe(once)
    }),
    { numRuns: scaled(300) },
  )
})

test('compares all of a text that is longer than what is normalised', () => {
  const long = 'Read this. '.repeat(2_000)
  expect(comment(`${long}a`)).not.toBe(comment(`${long}b`))
  expect(comment(`${long}a`)).toBe(comment(`${long}a`))
  expect(comment('á\u0301'.repeat(50_000))).not.toBe(NO_TEXT_KEY)
})

test('the key of a text with a million marks on a letter takes no more than linear time', () => {
  // With the square of their number it would take longer than a test may.
  expect(normalizeText(`a${'\u0301'.repeat(500_000)}${'\u0316'.repeat(500_000)}b`)).toMatch(/^a.*b$/u)
})
