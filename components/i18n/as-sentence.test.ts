import { expect, test } from 'vitest'
import { asSentence } from './as-sentence.ts'

test.each([
  ['Spam or scams', 'Spam or scams.'],
  ['Reason: Names a private person. ', 'Reason: Names a private person.'],
  ['Really?', 'Really?'],
  ['They wrote “stop.”', 'They wrote “stop.”'],
  ['انتهى الأمر؟', 'انتهى الأمر؟'],
  ['以后不要', '以后不要.'],
  ['终于。', '终于。'],
])('ends “%s” as a sentence', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence)
})
