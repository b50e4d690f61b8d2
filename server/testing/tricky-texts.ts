import type { RandomNumbers } from '#server/testing/random.ts'

/** What rules look for in {@link trickyText}. */
export const TRICKY_WORDS = [
  ...['idiot', 'spam', 'god', 'ass', 'free', 'free money', 'call now', 'wallet', 'kill', 'hello'],
  ...[
    'Straße',
    'scheiße',
    'STRASSE',
    'İstanbul',
    'istanbul',
    'ılık',
    "don't",
    'don’t',
    'ano',
    'año',
    'café',
    'naïve',
    'ﬁne',
    'Ǆ',
  ],
  ...['c++', '100%', '18+', 'covid19', '455', 'a b c', '@home', '#win', '_free_', 'x-ray', 'U.S.A.'],
  ...['мудак', 'деньги', 'ёлка', 'ηλίθιος', 'λόγος', 'كازينو', 'احمق', 'אידיוט', 'मूर्ख', 'हिन्दी', 'கெட்ட', '바보'],
  ...['傻瓜', 'バカ', 'カジノ', 'ばか', 'คนโง่', 'ရူး', 'ក្បត់', '👍', '🔥', '👩‍👩‍👧', '❤️', '🇩🇪', '1️⃣', '!!!', 'i'],
]

export const TRICKY_DOMAINS = [
  'evil.com',
  'spam.top',
  'shop.xyz',
  'sub.evil.com',
  'setup.py',
  'münchen.de',
  'xn--mnchen-3ya.de',
  'пример.рф',
  'evil.co.uk',
]

const ORDINARY = [
  ...[
    'the',
    'ferry',
    'runs',
    'AGAIN',
    'good',
    'goood',
    'as',
    'glass',
    'class',
    'people',
    'Паром',
    'ПАРОМ',
    '渡轮',
    'フェリー',
    '我们',
    'ok',
    'a',
    'I',
  ],
  ...[
    'README.md',
    'thanks.My',
    'end.So',
    'e.g.',
    '3.14',
    'v1.2.3',
    'and/or',
    'http',
    'https://',
    '//',
    'joe@evil.com',
    'node.js',
    '1:30',
    'done.De',
  ],
]

const ODD = [
  ...[
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u00ad',
    '\u2060',
    '\u180e',
    '\u202e',
    '\u3164',
    '\u115f',
    '\ufe0f',
    '\u034f',
    '\u0301',
    '\u0489',
    '\u0307',
  ],
  ...[
    '\u00a0',
    '\u2003',
    '\u3000',
    '\u2028',
    '\t',
    '\n',
    '\r\n',
    '\u0085',
    '\u001f',
    'ـ',
    '\u{1f3fd}',
    '’',
    '‘',
    'ʼ',
    "'",
    '＇',
    '_',
    '-',
    '‐',
    '·',
    '・',
    'ー',
  ],
  ...[
    'İ',
    'ı',
    'ẞ',
    'ß',
    'ς',
    'ſ',
    'K',
    '½',
    '²',
    '①',
    '٤',
    '１',
    '＠',
    'ｱ',
    'ﾞ',
    'ﾟ',
    '\ud800',
    '\udc00',
    '\u{e0041}',
    '*',
    '|',
    '$',
    '1',
    '0',
    '.',
    '。',
    '"',
    '<',
    '>',
  ],
]

type Disguise = (word: string, random: RandomNumbers) => string
const each = (word: string, change: (letter: string) => string) => [...word].map(change).join('')

const DISGUISES: Disguise[] = [
  (word) => word,
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.toLowerCase(),
  (word) => word.normalize('NFD'),
  (word) => word.normalize('NFKC'),
  (word) => each(word, wide),
  (word) =>
    each(word, (letter) =>
      'カジノバ'.includes(letter) ? ({ カ: 'ｶ', ジ: 'ｼﾞ', ノ: 'ﾉ', バ: 'ﾊﾞ' }[letter] ?? letter) : letter,
    ),
  (word, random) => [...word].join(random.oneOf([' ', '.', '-', '  ', ' . ', '\n', '\u00a0', '_', '*', '    '])),
  (word, random) => [...word].join(random.oneOf(['\u200b', '\u00ad', '\u2060', 'ـ', '\u0301', '\ufe0f'])),
  (word) => each(word, (letter) => ({ a: '@', i: '1', o: '0', s: '$', e: '3', t: '7', l: '|' })[letter] ?? letter),
  (word) => each(word, (letter) => ({ a: '4', i: '!', s: '5' })[letter] ?? letter),
  (word) =>
    each(word, (letter) => ({ a: 'а', e: 'е', i: 'і', o: 'о', p: 'р', c: 'с', x: 'х', y: 'у' })[letter] ?? letter),
  (word) => each(word, (letter) => ({ a: 'α', o: 'ο', i: 'ι' })[letter] ?? letter),
  (word, random) => stretched(word, random, 1),
  (word, random) => stretched(word, random, 2),
  (word, random) => stretched(word, random, 5),
  (word) => word.replaceAll("'", '’'),
  (word) => word.replaceAll('’', "'"),
  (word) => word.replaceAll(' ', '\u3000'),
  (word) => word.replaceAll(' ', '  '),
  (word) => `${word}\u{1f3fb}`,
  (word) => `_${word}_`,
  (word) => `x${word}`,
  (word) => `${word}s`,
  (word) => `${word}1`,
  (word) => `"${word}"`,
  (word) => `我${word}们`,
  (word, random) => replacedAt(word, random),
  (word, random) => replacedAt(replacedAt(word, random), random),
]

function wide(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  return code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : letter
}

function stretched(word: string, random: RandomNumbers, more: number): string {
  const letters = [...word]
  const at = random.below(letters.length)
  return letters.map((letter, index) => (index === at ? letter.repeat(1 + more) : letter)).join('')
}

function replacedAt(word: string, random: RandomNumbers): string {
  const letters = [...word]
  letters.splice(random.below(letters.length + 1), random.below(2), random.oneOf(ODD))
  return letters.join('')
}

const HOSTS = [
  ...[
    'evil.com',
    'EVIL.com',
    'www.evil.com',
    'sub.evil.com',
    'evil.com.',
    'evil。com',
    'evil．com',
    'evil｡com',
    'e%76il.com',
    'ｅｖｉｌ.com',
    'evil.com%2egood.org',
  ],
  ...[
    'spam.top',
    'shop.xyz',
    'setup.py',
    'münchen.de',
    'MÜNCHEN.de',
    'xn--mnchen-3ya.de',
    'пример.рф',
    'notevil.com',
    'evil.com.good.org',
    'good.org',
    'evil.co.uk',
  ],
  ...[
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    'localhost',
    'ev\u00adil.com',
    'ev\u200bil.com',
    'evi_l.com',
    '-evil.com',
    'e.vil.com',
    'faß.de',
    'evil.com:443',
    'evil.com:80',
  ],
  ...[
    'joe@evil.com',
    'evil.com@good.org',
    'good.org:pass@evil.com',
    'evil.com%00.org',
    'evil..com',
    `${'a'.repeat(64)}.com`,
    '例え.jp',
    'evil.COM',
    'thanks.My',
    'ⓔvil.com',
    'evil.c\u043em',
  ],
]
const SCHEMES = [
  'https://',
  'http://',
  'HTTPS://',
  'http:',
  'http:\\\\',
  'https:/',
  'https:///',
  'http:\\/',
  '//',
  '\\\\',
  '',
  '',
  '',
  'ftp://',
  'hxxp://',
  'mailto:',
]
const PATHS = ['', '', '/', '/a', '/a/b?c=d#e', '?q', '#x', '/.', '/a)', '\\a', '/看', '/a,b', ':8080/x']
const BEFORE = [
  ' ',
  ' ',
  ' ',
  '',
  '看',
  'click',
  '1',
  '(',
  '[x](',
  '"',
  '<',
  ',',
  '.',
  '@',
  '-',
  '_',
  '/',
  'é',
  '\n',
  '\u3000',
  '„',
  '\u200b',
  "'",
  '=',
]
const AFTER = [
  '“',
  '、と',
  '«',
  ' ',
  ' ',
  ' ',
  '',
  '吧',
  'は',
  ')',
  '.',
  ',',
  '"',
  '>',
  '!',
  '?',
  '。',
  '、',
  '…',
  "'",
  '”',
  '\n',
  '\u200b',
  ';',
  ']',
  ' x',
  '*',
  '》',
  '_',
]

export function trickyLink(random: RandomNumbers): string {
  return random.oneOf(BEFORE) + random.oneOf(SCHEMES) + random.oneOf(HOSTS) + random.oneOf(PATHS) + random.oneOf(AFTER)
}

/** What somebody writes to get past the words and links that rules look for, with ordinary words around it. */
export function trickyText(random: RandomNumbers, pieces: number): string {
  return Array.from(
    { length: random.below(pieces + 1) },
    () => piece(random) + random.oneOf([' ', ' ', ' ', '', ', ', '. ', '-', '\n']),
  ).join('')
}

function piece(random: RandomNumbers): string {
  const kind = random.below(12)
  if (kind < 6) return random.oneOf(DISGUISES)(random.oneOf(TRICKY_WORDS), random)
  if (kind < 9) return random.oneOf(ORDINARY)
  if (kind < 10) return random.oneOf(ODD)
  return trickyLink(random)
}
