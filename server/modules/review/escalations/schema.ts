import type { z } from 'zod'
import { text, visibleText } from '#server/core/text.ts'
import { PendingItem } from '#server/modules/review/queue/schema.ts'

const UserId = text({ min: 1, max: 900 })

/** Asks others to look at an item: the reason, up to 1,000 characters, and optionally one colleague. */
export const EscalateInput = PendingItem.extend({
  note: visibleText({ max: 1_000 }),
  handTo: UserId.optional(),
})
export type EscalateInput = z.output<typeof EscalateInput>

/** Assigns an escalated item to a colleague, or to nobody in particular. */
export const HandOverInput = PendingItem.extend({ handTo: UserId.nullable() })
export type HandOverInput = z.output<typeof HandOverInput>

/** Colleagues who may decide on it, by name. */
export const ColleaguesInput = PendingItem.extend({ name: text({ max: 100 }).default('') })
export type ColleaguesInput = z.output<typeof ColleaguesInput>

export interface Colleague {
  userId: string
  displayName: string
}
