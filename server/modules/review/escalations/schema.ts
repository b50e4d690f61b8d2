import { z } from 'zod'
import { text, visibleText } from '#server/core/text.ts'
import { Subject } from '#server/modules/review/decisions/schema.ts'

const UserId = text({ min: 1, max: 900 })

/** A held item, or the report on its subject. */
export const EscalatedItem = Subject.extend({ isReport: z.boolean().optional() })
export type EscalatedItem = z.output<typeof EscalatedItem>

/** Asks others to look at an item: the reason, up to 1,000 characters, and optionally one colleague. */
export const EscalateInput = EscalatedItem.extend({
  note: visibleText({ max: 1_000 }),
  handTo: UserId.optional(),
})
export type EscalateInput = z.output<typeof EscalateInput>

/** Assigns an escalated item to a colleague, or to nobody in particular. */
export const HandOverInput = EscalatedItem.extend({ handTo: UserId.nullable() })
export type HandOverInput = z.output<typeof HandOverInput>

/** Colleagues who may decide on it, or on its report, by name. */
export const ColleaguesInput = EscalatedItem.extend({ name: text({ max: 100 }).default('') })
export type ColleaguesInput = z.output<typeof ColleaguesInput>

export interface Colleague {
  userId: string
  displayName: string
}
