/** Accents and vowel points (as folded_text in prisma/migrations has them). */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]/g

/** A text as searches read it before they fold it: without accents and vowel points. An acute accent by itself is an apostrophe. */
export function withoutAccents(text: string): string {
  return text.replaceAll('´', "'").normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC')
}
