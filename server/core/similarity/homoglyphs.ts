/** Letters and what they look like, in lower case. Capitals follow their small letters, so that a text equals itself in capitals. */
const LOOK_ALIKES: Record<string, string> = {
  // Cyrillic, Greek, Armenian, Cherokee, Lisu and Latin letters outside the basic alphabet.
  a: 'аαɑꓮ',
  b: 'вβьƅᏼꮟꓐ',
  c: 'сᴄꮯꓚ',
  d: 'ԁɗꓒ',
  e: 'еεєҽꓰ',
  f: 'ϝƒꓝ',
  g: 'ɡցԍꓖ',
  h: 'нηһհꓧ',
  i: 'іιıɩӏꓲ',
  j: 'јϳꓙ',
  k: 'кκĸꓗ',
  l: 'ꓡ',
  m: 'мμꓟ',
  n: 'ոпꓠ',
  o: 'оοσςօ௦ꓳ',
  p: 'рρꓑ',
  q: 'ԛզ',
  r: 'гꮁꓤ',
  s: 'ѕꜱꓢ',
  t: 'тτꓔ',
  u: 'υսʋ',
  v: 'νѵꓦ',
  w: 'ԝωѡꓪ',
  x: 'хχꓫ',
  y: 'уүγұꓬ',
  z: 'ᴢζꓜ',
  ss: 'ß',
  ae: 'æ',
  // Persian and Urdu letters of the Arabic script.
  ي: 'یىے',
  ك: 'ک',
  ه: 'ةہھە',
}

/** By letter, the one that it looks like. */
export const HOMOGLYPHS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([plain, others]) => [...others].map((letter) => [letter, plain] as const)),
)
