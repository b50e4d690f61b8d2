import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The member's own words are set in this typeface; excerpts of them also elsewhere. */
const MEMBERS_TEXT = /font-member|[{(. ]excerpt\b/
const COVERED = /<Covered(Text|Line)\b|<Excerpt\b|coversText/

test('every part of the desk that shows a member’s text covers it for those who prefer that', () => {
  // On their own page, people read what they wrote themselves.
  const paths = globSync('components/**/*.tsx', { exclude: ['components/statement/**'] })
  const parts = paths.filter((path) => MEMBERS_TEXT.test(readFileSync(path, 'utf8')))
  expect(parts.length).toBeGreaterThan(10)
  expect(parts.filter((path) => !COVERED.test(readFileSync(path, 'utf8')))).toEqual([])
})
