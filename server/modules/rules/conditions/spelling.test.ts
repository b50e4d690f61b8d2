import { expect, test } from 'vitest'
import { fold } from '#server/core/folding/fold.ts'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import { foldSpelling } from '#server/modules/rules/conditions/fold-spelling.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'

interface Asked {
  spelling?: 'exact' | 'similar'
  match?: 'word' | 'part'
}

/** What a condition with one word marks in a text. */
async function marked(word: string, text: string, asked: Asked = {}): Promise<string[]> {
  const condition = Conditions.parse({ kind: 'words', words: [word], ...asked })
  const rules = await compileRules([{ ruleId: 'rule', version: 1, condition }])
  const { fired } = judge(rules, { texts: [{ field: 'text', text }], mentions: 0, media: [] })
  return fired.flatMap(({ found }) => found.map(({ from, to }) => text.slice(from, to)))
}

test.each([
  ['capitals', 'idiot', 'You IDIOT!', 'IDIOT'],
  ['full-width letters', 'idiot', 'ｉｄｉｏｔ?', 'ｉｄｉｏｔ'],
  ['invisible characters', 'idiot', 'an id\u200bi\u00adot', 'id\u200bi\u00adot'],
  ['several spaces in a phrase', 'free money', 'Free\n\u00a0 money!', 'Free\n\u00a0 money'],
  ['signs of the word itself', '100%', 'I am 100% sure', '100%'],
  ['letters with the same capital', 'τέλος', 'ΤΈΛΟΣ', 'ΤΈΛΟΣ'],
  ['letters with two capitals', 'scheisse', 'Scheiße', 'Scheiße'],
  ['an emoji of any colour', '👍', 'ok 👍🏽!', '👍🏽'],
  ['stretched Arabic letters', 'كازينو', 'كازيـنو', 'كازيـنو'],
  ['half-width kana with marks', 'カジノ', 'ｶｼﾞﾉ', 'ｶｼﾞﾉ'],
  ['any apostrophe', 'don’t', "you don't", "don't"],
  ['a capital ẞ', 'straße', 'STRAẞE', 'STRAẞE'],
  ['a capital with a dot', 'istanbul', 'İstanbul', 'İstanbul'],
  ['underscores around it', 'free', '_free_', 'free'],
  ['Korean letters in parts', '바보', '바보'.normalize('NFD'), '바보'.normalize('NFD')],
])('any spelling finds %s', async (_, word, text, found) => {
  expect(await marked(word, text, { spelling: 'exact' })).toEqual([found])
  expect(await marked(word, text)).toEqual([found])
})

test.each([
  ['letters of other scripts', 'idiot', 'an іdіоt', 'іdіоt'],
  ['Latin letters in a Cyrillic word', 'мудак', 'ты мyдaк', 'мyдaк'],
  ['digits for letters', 'idiot', 'y0u 1d10t', '1d10t'],
  ['signs for letters', 'assassin', 'an @$$a$$!n.', '@$$a$$!n'],
  ['one sign for either of two letters', 'kill', 'I ki11', 'ki11'],
  ['accents', 'idiot', 'ìdïöt', 'ìdïöt'],
  ['letters struck through', 'idiot', 'i\u0336d\u0336i\u0336o\u0336t\u0336!', 'i\u0336d\u0336i\u0336o\u0336t\u0336'],
  ['stretched letters', 'idiot', 'idiooooot!!!', 'idiooooot'],
  ['single letters with spaces', 'idiot', 'you i d i o t you', 'i d i o t'],
  ['single letters of several words', 'wallet', 'send a w a l l e t now', 'w a l l e t'],
  ['single letters between others', 'idiot', 'y o u i d i o t y o u', 'i d i o t'],
  ['single letters of a word with the same letter twice', 'kill', 'i k i l l y o u', 'k i l l'],
  ['single letters of a phrase', 'a wallet', 'send a w a l l e t', 'a w a l l e t'],
  ['single letters of a phrase that meet', 'free eggs', 'f r e e e g g s', 'f r e e e g g s'],
  ['single letters with dots', 'idiot', 'i.d.i.o.t', 'i.d.i.o.t'],
  ['other signs in a phrase', 'free money', 'FREE -- money', 'FREE -- money'],
])('similar spelling finds %s, and exact spelling does not', async (_, word, text, found) => {
  expect(await marked(word, text)).toEqual([found])
  expect(await marked(word, text, { spelling: 'exact' })).toEqual([])
})

test.each([
  ['numbers are not letters', 'ass', '455 people'],
  ['a letter written twice makes another word', 'god', 'good'],
  ['a letter written once makes another word', 'ass', 'as'],
  ['a number without its sign', '100%', '100 people'],
  ['a part of a word', 'ass', 'class passes'],
  ['a part of a word in single letters', 'ass', 'c l a s s'],
  ['a phrase without its spaces', 'free money', 'freemoney'],
  ['a word in another phrase', 'free money', 'free lunch, no money'],
])('similar spelling leaves out what is innocent: %s', async (_, word, text) => {
  expect(await marked(word, text)).toEqual([])
})

test('a part is found within words, and a whole word only between them', async () => {
  expect(await marked('spam', 'antispam spams spam', { match: 'part' })).toEqual(['spam', 'spam', 'spam'])
  expect(await marked('spam', 'antispam spams spam')).toEqual(['spam'])
  expect(await marked('spam', 'спамspam spamспам', { spelling: 'exact' })).toEqual([])
})

test('words of scripts without spaces are found inside a sentence', async () => {
  expect(await marked('傻瓜', '你这个傻瓜啊')).toEqual(['傻瓜'])
  expect(await marked('バカ', 'あなたはバカですね')).toEqual(['バカ'])
  expect(await marked('spam', 'フェリーspam', { spelling: 'exact' })).toEqual(['spam'])
})

test('a word is marked once, however many spellings it is found in, and twenty times at most', async () => {
  expect(await marked('idiot', 'idiot')).toEqual(['idiot'])
  expect(await marked('no', 'no '.repeat(100))).toHaveLength(20)
})

/** So long that with the square of the length it would take longer than a test may. */
const LONG = 1_000_000

test.each([
  ['signs between two letters', `a${'!'.repeat(LONG)}a`],
  ['marks that have to be sorted', `a${'\u0301'.repeat(LONG / 2)}${'\u0316'.repeat(LONG / 2)}`],
])('folding takes no more than linear time for %s', (_, text) => {
  expect(foldSpelling(fold(text), 'i').text).toMatch(/^a/)
})

test.each([
  ['a word', 'ferry', 'ferry'],
  ['a ligature in a word', 'viagra', 'Ⅵagra'],
  ['a ligature of four letters', 'محمد', 'ﷴ'],
])('%s is found after any number of ligatures of 18 letters', async (_, word, written) => {
  for (const ligatures of [1_600, 1_700, 19_000])
    expect(await marked(word, `${'\ufdfa'.repeat(ligatures)} ${written}`, { spelling: 'exact' })).toEqual([written])
})

test('a text of 20,000 characters has at most 110,000 when it is folded, whatever they stand for', () => {
  const characters = Array.from({ length: 0x2_fa20 }, (_, code) => String.fromCodePoint(code))
  const byLength = Map.groupBy(characters, (character) => fold(character).text.length / character.length)
  expect([...byLength.keys()]).toContain(18)
  for (const [one = ''] of byLength.values()) {
    const filled = `${'\ufdfa'.repeat(1_700)}${one.repeat(18_300 / one.length)}`
    expect(fold(filled).text.length).toBeLessThanOrEqual(110_000)
  }
})

test('a word is found after more marks than any letter has', async () => {
  expect(await marked('ferry', `a${'\u0301'.repeat(100)} ferry`)).toEqual(['ferry'])
  expect(await marked('ferry', `f${'\u0301'.repeat(100)}erry`)).toHaveLength(1)
})
