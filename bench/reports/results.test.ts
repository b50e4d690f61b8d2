import { expect, test } from 'vitest'
import { withSection, withSkip } from './results.ts'

const MEASURED = withSection(
  withSection('', '## desk, 400 keys\n\nRun on Monday'),
  '## members, 15,730\n\nRun on Monday\n\n| a |',
)

test('a skipped scenario says so below its title, and what an earlier run measured stays', () => {
  const skipped = withSkip(MEASURED, 'members, 15,730', 'Skipped on Tuesday: no data.')
  expect(skipped).toContain(
    '## desk, 400 keys\n\nRun on Monday\n\n## members, 15,730\n\nSkipped on Tuesday: no data.\n\nRun on Monday\n\n| a |\n',
  )
  expect(withSkip(skipped, 'members, 15,730', 'Skipped on Wednesday: no data.')).toBe(
    skipped.replace('Tuesday', 'Wednesday'),
  )
})

test('a scenario that was never measured has a section that says it was skipped', () => {
  expect(withSkip('', 'rest', 'Skipped on Tuesday: no data.')).toMatch(/\n## rest\n\nSkipped on Tuesday: no data\.\n$/)
})

test('a measurement takes the place of a skip', () => {
  const skipped = withSkip(MEASURED, 'members, 15,730', 'Skipped on Tuesday: no data.')
  expect(withSection(skipped, '## members, 15,730\n\nRun on Monday\n\n| a |')).toBe(MEASURED)
})
