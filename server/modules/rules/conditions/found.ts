import type { Text } from '#server/modules/rules/conditions/facts.ts'

/** Where a condition is met: a range of a text, in UTF-16 units, with its end excluded. */
export interface Found {
  field: Text['field']
  from: number
  to: number
}

/** Where a condition is met; empty if in no particular place, undefined if it isn't met. */
export type Finding = Found[] | undefined

/** The most places of one condition in one text: more wouldn't tell a reader more. */
export const FOUND_AT_MOST = 20

/** The place of a link, without what it leads to. */
export const toFound = ({ field, from, to }: Found): Found => ({ field, from, to })

/** Met, but in no particular place. */
export const metIf = (isMet: boolean): Finding => (isMet ? [] : undefined)

/** Met where something was found. */
export const metAt = (found: Found[]): Finding => (found.length > 0 ? found : undefined)
