import { z } from 'zod'

/** A day of the ISO calendar, extended before 1582 back to the year 0000. Rejects dates that do not exist, such as 2026-02-30. */
export const CalendarDate = z.iso
  .date('Must be a date that exists, written as YYYY-MM-DD')
  // The published pattern (docs/interface/review-queue.md#parameters); the check also knows the length of each month.
  .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
export type CalendarDate = z.output<typeof CalendarDate>

/** The name of an IANA time zone that this runtime knows, including links such as US/Pacific. Offsets are not names. */
export const TimeZone = z.string().refine(isTimeZone, 'must be an IANA time zone name, such as Europe/Berlin')
export type TimeZone = z.output<typeof TimeZone>

/** A look-up takes 0.2 ms, so results are cached. The limit guards against callers who try every mix of capitals. */
const REMEMBERED_NAMES = 1000
const remembered = new Set<string>()

/** ICU names that Intl also accepts but that mislead: to ICU, BST is Dhaka and AST is Anchorage. */
const ICU_NAME =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

function isTimeZone(name: string): boolean {
  if (remembered.has(name)) return true
  if (!/^[a-z]/i.test(name) || ICU_NAME.test(name)) return false

  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }

  if (remembered.size === REMEMBERED_NAMES) remembered.clear()
  remembered.add(name)
  return true
}
