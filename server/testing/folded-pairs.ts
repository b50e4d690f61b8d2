/** What people type and a text in which they mean to find it: every search folds both in one way. */
export const FOLDED_PAIRS: [typed: string, text: string][] = [
  ['cafe', 'Am Café'],
  ['CAFÉ', 'am cafe\u0301'],
  ['spam', 's\u200bp\u00ada\u2060m'],
  ['Casino', 'ＣＡＳＩＮＯ'],
  ['strasse', 'STRAẞE'],
  ['istanbul', 'İstanbul'],
  ["don't", 'I don’t know'],
  ["don't", 'I don´t know'],
  ['👍', 'fine 👍🏽'],
  ['كازينو', 'كازيـنو'],
  ['カジノ', 'ｶｼﾞﾉ'],
  ['ｶｼﾞﾉ', 'カジノ'],
  ['two words', 'two\nwords'],
  ['two words', 'two \t words'],
  [' two  words ', 'these two words here'],
  ['50%', '50％ off'],
]
