import { expect, test } from 'vitest'
import { periodDays } from '#server/core/periods.ts'
import { presetOf } from './presets.ts'

test.each([
  ['today', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['last7', '2026-03-01', '2026-02-23', '2026-03-01'],
  ['last30', '2026-03-01', '2026-01-31', '2026-03-01'],
  ['thisMonth', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['thisMonth', '2026-03-31', '2026-03-01', '2026-03-31'],
  ['lastMonth', '2024-03-31', '2024-02-01', '2024-02-29'],
  ['lastMonth', '2026-01-15', '2025-12-01', '2025-12-31'],
] as const)('%s, seen from %s, is %s to %s', (preset, today, startDate, endDate) => {
  expect(periodDays(preset, today)).toEqual({ startDate, endDate })
})

test('each preset has its digit', () => {
  expect(['1', '6', '7', '0', 'a'].map(presetOf)).toEqual(['today', 'lastMonth', undefined, undefined, undefined])
})
