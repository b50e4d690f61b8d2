import { z } from 'zod'
import { TimeZone } from '#server/core/calendar.ts'

/** What an act of the desk is called, and the key that does it: `a`, `?`, `mod+e`, `Delete`. */
const Act = z.string().regex(/^[a-zA-Z0-9]{1,40}$/)
const Combo = z.string().regex(/^(?:(?:mod|shift)\+)*[^\s+]{1,20}$|^(?:(?:mod|shift)\+)*\+$/u)
const KEYS_KEPT = 100

const FIELDS = {
  zone: TimeZone,
  theme: z.enum(['light', 'dark', 'system']),
  density: z.enum(['comfortable', 'compact']),
  language: z.enum(['en', 'de', 'ar']),
  /** The person's own keys, by act; what is not named has the desk's. */
  keys: z
    .record(Act, Combo)
    .refine((keys) => Object.keys(keys).length <= KEYS_KEPT, `must have at most ${KEYS_KEPT} entries`),
  /** Whether keys that are one character do nothing (WCAG 2.2, 2.1.4). */
  areSingleKeysOff: z.boolean(),
  /** Pictures and films wait behind a cover until asked for, and come grey, blurred, or both. */
  isMediaCovered: z.boolean(),
  isMediaGrey: z.boolean(),
  isMediaBlurred: z.boolean(),
  /** Which texts wait behind a cover. */
  coveredText: z.enum(['none', 'flagged', 'all']),
  /** After how much of it the desk suggests a pause; left out, never. */
  pauseAfterDecisions: z.int().min(1).max(10_000),
  pauseAfterMinutes: z.int().min(1).max(1_440),
}

/** How one person likes the desk: what they chose themselves, and nothing else. */
export const ChosenPreferences = z.object(FIELDS).partial()
export type ChosenPreferences = z.output<typeof ChosenPreferences>

/** What is left out stays as it is; null goes back to what the desk does by itself. */
export const PreferencesChange = z
  .object({
    ...FIELDS,
    zone: FIELDS.zone.nullable(),
    pauseAfterDecisions: FIELDS.pauseAfterDecisions.nullable(),
    pauseAfterMinutes: FIELDS.pauseAfterMinutes.nullable(),
  })
  .partial()
export type PreferencesChange = z.output<typeof PreferencesChange>
