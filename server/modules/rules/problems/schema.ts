/** What can be wrong with a rule, as the API says it; the desk says each of these in the language of the person. */
export const RULE_PROBLEMS = {
  patternTooLarge: 'the pattern is too large',
  patternMatchesEmpty: 'the pattern matches an empty text',
  patternsTooLarge: 'its patterns are too large together',
  runningPatternsTooLarge: 'the patterns of rules in shadow and live would be too large together',
  signalName: 'must be a lower-case letter, then up to 49 letters, digits, or any of _ . -',
  messagesHaveNoSignals: 'messages aren’t judged by signals',
  unknownQueue: 'not a queue of this space',
} as const

export type RuleProblem = keyof typeof RULE_PROBLEMS
