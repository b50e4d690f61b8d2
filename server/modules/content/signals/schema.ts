import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import { SignalName } from '#server/modules/rules/conditions/schema.ts'

/** What a signal can be about. */
const SIGNAL_TYPES = ['comment', 'post', 'message'] as const
export const SIGNALS_A_CALL = 100
/** How far ahead the clock of a classifier may be. */
export const CLOCK_SKEW_MS = 5 * 60_000

export const NewSignal = z
  .object({
    type: z.enum(SIGNAL_TYPES),
    id: ResourceId.describe('Id of the comment, post or message'),
    name: SignalName,
    score: z.number().min(0).max(1).describe('From 0, not at all, to 1, certain'),
    modelVersion: text({ min: 1, max: 100 }).optional(),
    measuredAt: z.iso
      .datetime({ offset: true })
      .transform((value) => new Date(value))
      .optional()
      .describe('When it was measured; the time of the call if absent. At most five minutes ahead'),
  })
  .meta({ id: 'NewSignal' })
export type NewSignal = z.output<typeof NewSignal>

/** Body of docs/interface/signals.md#send-signals. */
export const NewSignals = z.object({ signals: z.array(NewSignal).min(1).max(SIGNALS_A_CALL) })
export type NewSignals = z.output<typeof NewSignals>

/** What became of the signals of one call. */
export const SignalsRecorded = z
  .object({
    recorded: z.int().describe('New, or later than what was known'),
    unchanged: z.int().describe('Already known, or older than what is known'),
    unknown: z.array(z.object({ type: z.enum(SIGNAL_TYPES), id: z.string() })).describe('Content that does not exist'),
  })
  .meta({ id: 'SignalsRecorded' })
export type SignalsRecorded = z.output<typeof SignalsRecorded>

/** What a classifier says of an item. */
export interface Signal {
  name: string
  /** From 0 to 1. */
  score: number
  modelVersion?: string
  measuredAt: string
}
