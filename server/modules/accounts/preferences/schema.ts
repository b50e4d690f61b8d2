import { z } from 'zod'
import { TimeZone } from '#server/core/calendar.ts'

/** The name of an action of the desk, and its key: `a`, `?`, `mod+e`, `Delete`. */
const Act = z.string().regex(/^[a-zA-Z0-9]{1,40}$/)
const Combo = z.string().regex(/^(?:(?:mod|shift)\+)*[^\s+]{1,20}$|^(?:(?:mod|shift)\+)*\+$/u)
const KEYS_KEPT = 100

const FIELDS = {
  zone: TimeZone,
  theme: z.enum(['light', 'dark', 'system']),
  density: z.enum(['comfortable', 'compact']),
  language: z.enum(['en', 'de', 'ar']),
  /** The person's own keys, by action; an action that is not named has the default. */
  keys: z
    .record(Act, Combo)
    .refine((keys) => Object.keys(keys).length <= KEYS_KEPT, `must have at most ${KEYS_KEPT} entries`),
  /** Whether single-character keys are turned off (WCAG 2.2, 2.1.4). */
  areSingleKeysOff: z.boolean(),
  /** Whether the queue's first steps were shown to them, and closed or followed. */
  areFirstStepsDone: z.boolean(),
  /** Images and videos are covered until opened, and are shown grey, blurred, or both. */
  isMediaCovered: z.boolean(),
  isMediaGrey: z.boolean(),
  isMediaBlurred: z.boolean(),
  /** The texts that are covered until opened. */
  coveredText: z.enum(['none', 'flagged', 'all']),
  /** The amount of it after which the desk suggests a pause; never, if left out. */
  pauseAfterDecisions: z.int().min(1).max(10_000),
  pauseAfterMinutes: z.int().min(1).max(1_440),
}

/** One person's preferences for the desk: only what they chose themselves. */
export const ChosenPreferences = z.object(FIELDS).partial()
export type ChosenPreferences = z.output<typeof ChosenPreferences>

/** What is left out stays as it is; null restores the default. */
export const PreferencesChange = z
  .object({
    ...FIELDS,
    zone: FIELDS.zone.nullable(),
    pauseAfterDecisions: FIELDS.pauseAfterDecisions.nullable(),
    pauseAfterMinutes: FIELDS.pauseAfterMinutes.nullable(),
  })
  .partial()
export type PreferencesChange = z.output<typeof PreferencesChange>
