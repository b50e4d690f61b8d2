import { expect, test } from 'vitest'
import { comboOf } from './keys.ts'

const press = (key: string, held: Partial<Parameters<typeof comboOf>[0]> = {}) =>
  comboOf({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held })

test('treats a letter the same with caps lock on', () => {
  expect([press('a'), press('A')]).toEqual(['a', 'a'])
})

test('Shift changes a letter or an arrow key, and belongs to a symbol', () => {
  const shift = { shiftKey: true }
  expect([press('J', shift), press('ArrowDown', shift)]).toEqual(['shift+j', 'shift+ArrowDown'])
  expect([press('?', shift), press('!', shift), press(' ', shift)]).toEqual(['?', '!', ' '])
  expect(press('Z', { ...shift, ctrlKey: true })).toBe('shift+mod+z')
})

test('treats Control and Command as one modifier', () => {
  expect([press('z', { ctrlKey: true }), press('z', { metaKey: true })]).toEqual(['mod+z', 'mod+z'])
})

test('leaves keys with Alt to the system', () => {
  expect(press('a', { altKey: true })).toBeUndefined()
})

test('a letter or digit of another script is that of its key on an English keyboard', () => {
  expect(press('ф', { code: 'KeyA' })).toBe('a')
  expect(press('Ф', { code: 'KeyA', shiftKey: true })).toBe('shift+a')
  expect([press('ش', { code: 'KeyA' }), press('α', { code: 'KeyA' }), press('ㅁ', { code: 'KeyA' })]).toEqual([
    'a',
    'a',
    'a',
  ])
  expect([press('١', { code: 'Digit1' }), press('я', { code: 'KeyZ', ctrlKey: true })]).toEqual(['1', 'mod+z'])
})

test('a letter of a Latin keyboard is what is on it, wherever it is', () => {
  expect([press('a', { code: 'KeyQ' }), press('z', { code: 'KeyY' }), press('é', { code: 'Digit2' })]).toEqual([
    'a',
    'z',
    'é',
  ])
})

/** What the keys A to Z, 1 to 9 and the slash produce, without Shift; then the slash with Shift. */
const OTHER_SCRIPTS: Record<string, [letters: string, digits: string, slash: string, question: string]> = {
  Russian: ['ф и с в у а п р ш о л д ь т щ з й к ы е г м ц ч н я', '1 2 3 4 5 6 7 8 9', 'none', 'none'],
  Greek: ['α β ψ δ ε φ γ η ι ξ κ λ μ ν ο π none ρ σ τ θ ω ς χ υ ζ', '1 2 3 4 5 6 7 8 9', '/', '?'],
  Arabic: ['ش لا ؤ ي ث ب ل ا ه ت ن م ة ى خ ح ض ق س ف ع ر ص ء غ ئ', '١ ٢ ٣ ٤ ٥ ٦ ٧ ٨ ٩', 'ظ', '؟'],
  Persian: ['ش ذ ز ی ث ب ل ا ه ت ن م ئ د خ ح ض ق س ف ع ر ص ط غ ظ', '۱ ۲ ۳ ۴ ۵ ۶ ۷ ۸ ۹', '/', '؟'],
  Hebrew: ["ש נ ב ג ק כ ע י ן ח ל ך צ מ ם פ none ר ד א ו ה ' ס ט ז", '1 2 3 4 5 6 7 8 9', 'none', '?'],
  Thai: ['ฟ ิ แ ก ำ ด เ ้ ร ่ า ส ท ื น ย ๆ พ ห ะ ี อ ไ ป ั ผ', 'ๅ / - ภ ถ ุ ึ ค ต', 'ฝ', 'ฦ'],
  Hindi: ['ो व म ् ा ि ु प ग र क त स ल द ज ौ ी े ू ह न ै ं ब ॆ', '१ २ ३ ४ ५ ६ ७ ८ ९', 'य', 'य़'],
  Korean: [
    'ㅁ ㅠ ㅊ ㅇ ㄷ ㄹ ㅎ ㅗ ㅑ ㅓ ㅏ ㅣ ㅡ ㅜ ㅐ ㅔ ㅂ ㄱ ㄴ ㅅ ㅕ ㅍ ㅈ ㅌ ㅛ ㅋ',
    '1 2 3 4 5 6 7 8 9',
    '/',
    '?',
  ],
  Japanese: [
    'ち こ そ し い は き く に ま の り も み ら せ た す と か な ひ て さ ん つ',
    'ぬ ふ あ う え お や ゆ よ',
    'め',
    '・',
  ],
}

test.each(
  Object.entries(OTHER_SCRIPTS),
)('on a %s keyboard, letters, digits, the slash and the question mark are where they are on an English one', (_, [
  letters,
  digits,
  slash,
  question,
]) => {
  const pressed = [
    ...letters.split(' ').map((key, at) => [key, 'abcdefghijklmnopqrstuvwxyz'.charAt(at), 'Key'] as const),
    ...digits.split(' ').map((key, at) => [key, String(at + 1), 'Digit'] as const),
  ].filter(([key]) => key !== 'none')
  const combos = pressed.map(([key, english, row]) => press(key, { code: `${row}${english.toUpperCase()}` }))
  expect(combos).toEqual(pressed.map(([, english]) => english))
  if (slash !== 'none') expect(press(slash, { code: 'Slash' })).toBe('/')
  if (question !== 'none') expect(press(question, { code: 'Slash', shiftKey: true })).toBe('?')
})

test('Shift changes a letter of any script, also one that it writes with another sign', () => {
  const shift = { shiftKey: true }
  const combos = [press('И', { ...shift, code: 'KeyB' }), press('لآ', { ...shift, code: 'KeyB' })]
  expect(combos).toEqual(['shift+b', 'shift+b'])
  expect([press('ฺ', { ...shift, code: 'KeyB' }), press('B', { ...shift, code: 'KeyB' })]).toEqual([
    'shift+b',
    'shift+b',
  ])
})

test('signs that other scripts have where they are looked for stay what they are', () => {
  expect([press('/', { code: 'KeyQ' }), press('/', { code: 'Backslash', shiftKey: true })]).toEqual(['/', '/'])
  expect(press('?', { code: 'Digit7', shiftKey: true })).toBe('?')
})

/** Signs and letters where an English keyboard has others: key, code, and whether with Shift. */
const LATIN: Record<string, [key: string, code: string, shiftKey?: boolean][]> = {
  AZERTY: [
    ['q', 'KeyA'],
    ['w', 'KeyZ'],
    [',', 'KeyM'],
    ['?', 'KeyM', true],
    ['1', 'Digit1', true],
    ['&', 'Digit1'],
    ["'", 'Digit4'],
    ['-', 'Digit6'],
    ['/', 'Period', true],
    ['à', 'Digit0'],
  ],
  QWERTZ: [
    ['z', 'KeyY'],
    ['/', 'Digit7', true],
    ['?', 'Minus', true],
    ['-', 'Slash'],
    ['_', 'Slash', true],
    ['ö', 'Semicolon'],
  ],
  Dvorak: [
    ["'", 'KeyQ'],
    [',', 'KeyW'],
    ['.', 'KeyE'],
    [';', 'KeyZ'],
    ['z', 'Slash'],
    ['/', 'BracketLeft'],
  ],
  BÉPO: [
    ['/', 'Digit9'],
    ['-', 'Digit8'],
    ["'", 'KeyN'],
    ['?', 'KeyN', true],
    ['é', 'KeyW'],
    ['.', 'KeyV'],
  ],
  Colemak: [
    [';', 'KeyP'],
    ['f', 'KeyE'],
  ],
  'Turkish F': [
    ['ğ', 'KeyE'],
    ['ı', 'KeyR'],
    ['ö', 'KeyX'],
  ],
  Spanish: [
    ['ñ', 'Semicolon'],
    ['¿', 'Equal', true],
    ['·', 'Digit3', true],
  ],
}

test.each(Object.entries(LATIN))('on a %s keyboard, a key is what is on it', (_, keys) => {
  const combos = keys.map(([key, code, shiftKey = false]) => press(key, { code, shiftKey }))
  expect(combos).toEqual(keys.map(([key]) => key))
})
