interface SyntaxProblem {
  kind: 'brackets' | 'repetition' | 'patternTooLarge' | 'unsupported'
  /** Of the pattern. */
  part: string
}

/** How RE2 begins, whatever it can't read. */
const SYNTAX_ERROR = /^error parsing regexp: (.+?)(?:: `(.*)`)?$/s

const KINDS: Record<string, SyntaxProblem['kind']> = {
  'missing closing )': 'brackets',
  'missing closing ]': 'brackets',
  'unexpected )': 'brackets',
  'missing argument to repetition operator': 'repetition',
  'invalid repeat count': 'repetition',
  'invalid nested repetition operator': 'repetition',
  'expression too large': 'patternTooLarge',
  'expression nests too deeply': 'patternTooLarge',
}

/** What RE2 says about a pattern that it can't read. */
export function syntaxProblemIn(text: string): SyntaxProblem | undefined {
  const [, reason, part] = text.match(SYNTAX_ERROR) ?? []
  // Only of a backslash at the end it doesn't say which part it is about.
  return reason === undefined ? undefined : { kind: KINDS[reason] ?? 'unsupported', part: part ?? '\\' }
}
