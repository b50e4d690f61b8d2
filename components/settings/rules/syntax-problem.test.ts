import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { syntaxProblemIn } from './syntax-problem.ts'

test.each([
  ['(a', { kind: 'brackets', part: '(a' }],
  ['[a', { kind: 'brackets', part: '[a' }],
  ['a)', { kind: 'brackets', part: 'a)' }],
  ['*a', { kind: 'repetition', part: '*' }],
  ['a{2000}', { kind: 'repetition', part: '{2000}' }],
  ['a**', { kind: 'repetition', part: '**' }],
  ['(?=a)', { kind: 'unsupported', part: '(?=' }],
  [String.raw`\q`, { kind: 'unsupported', part: String.raw`\q` }],
  ['[z-a]', { kind: 'unsupported', part: 'z-a' }],
  ['a\\', { kind: 'unsupported', part: '\\' }],
  ['(`\n', { kind: 'brackets', part: '(`\n' }],
  [`${'('.repeat(1_100)}a${')'.repeat(1_100)}`, { kind: 'patternTooLarge' }],
])('says what RE2 can’t read in %s', (pattern, problem) => {
  expect(syntaxProblemIn(errorOf(pattern))).toMatchObject(problem)
})

test('takes no other problem for one of syntax', () => {
  expect(syntaxProblemIn('the pattern is too large')).toBeUndefined()
})

function errorOf(pattern: string): string {
  try {
    RE2JS.compile(pattern)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
