import { expect, test } from 'vitest'
import { CalendarDate, TimeZone } from './calendar.ts'

test.each([
  '2026-02-28',
  '2024-02-29',
  '2000-02-29',
  '0000-01-01',
  '0000-02-29',
  '9999-12-31',
])('%s is a date', (date) => {
  expect(CalendarDate.parse(date)).toBe(date)
})

test.each([
  ['a day the month lacks', '2026-02-30'],
  ['29 February of a common year', '2026-02-29'],
  ['29 February of a century that 400 does not divide', '1900-02-29'],
  ['month 13', '2026-13-01'],
  ['day 0', '2026-01-00'],
  ['missing zeros', '2026-2-3'],
  ['a time of day', '2026-02-28T00:00:00Z'],
  ['a line break', '2026-02-28\n'],
  ['a sign', '-2026-02-28'],
  ['other digits', '２０２６-02-28'],
  ['nothing', ''],
])('%s is not a date', (_reason, date) => {
  expect(CalendarDate.safeParse(date).error?.issues.map((issue) => issue.message)).toEqual([
    'Must be a date that exists, written as YYYY-MM-DD',
  ])
})

test.each([
  'UTC',
  'Europe/Berlin',
  'US/Pacific',
  'Asia/Calcutta',
  'Asia/Kolkata',
  'Etc/GMT+5',
  'EST',
  'GMT',
  'america/st_johns',
  'America/Argentina/ComodRivadavia',
])('%s is a time zone on every call', (name) => {
  expect(TimeZone.parse(name)).toBe(name)
  expect(TimeZone.parse(name)).toBe(name)
})

test.each(Intl.supportedValuesOf('timeZone'))('%s, which the runtime lists, is a time zone', (name) => {
  expect(TimeZone.parse(name)).toBe(name)
})

test.each([
  ['a place without a zone', 'Mars/Olympus'],
  ['an offset', '+05:30'],
  ['a short offset', '-08'],
  ['an offset of UTC', 'UTC+5'],
  ['the letter of UTC', 'Z'],
  ['an abbreviation that ICU reads as Dhaka', 'BST'],
  ['one that ICU reads as Anchorage', 'ast'],
  ['a rule of System V', 'SystemV/AST4'],
  ['spaces', ' Europe/Berlin '],
  ['nothing', ''],
])('%s is not a time zone', (_reason, name) => {
  expect(TimeZone.safeParse(name).error?.issues.map((issue) => issue.message)).toEqual([
    'must be an IANA time zone name, such as Europe/Berlin',
  ])
})

test('all spellings stay valid zones when there are more than the cache holds', () => {
  for (const name of spellings('america/argentina/buenos_aires', 1500)) expect(TimeZone.parse(name)).toBe(name)
})

/** The bits of each number select the capital letters. */
function spellings(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) =>
    name.replace(/./g, (letter, index) => (number & (1 << index) ? letter.toUpperCase() : letter)),
  )
}
