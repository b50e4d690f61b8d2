import { ACT_ROWS } from '#server/testing/procedures/acts.ts'
import { HISTORY_ROWS } from '#server/testing/procedures/history.ts'
import { NETWORK_ROWS } from '#server/testing/procedures/network.ts'
import { OWN_ROWS } from '#server/testing/procedures/own.ts'
import { PEOPLE_ROWS } from '#server/testing/procedures/people.ts'
import { REVIEW_ROWS } from '#server/testing/procedures/review.ts'
import type { DeskRow } from '#server/testing/procedures/row.ts'
import { RULE_ROWS } from '#server/testing/procedures/rules.ts'
import { MESSAGE_ROWS, SPACE_ROWS } from '#server/testing/procedures/spaces.ts'
import { STAFF_ROWS } from '#server/testing/procedures/staff.ts'

/** Every procedure of the desk; the tests fail if one is missing. */
export const DESK_ROWS: DeskRow[] = [
  ...OWN_ROWS,
  ...STAFF_ROWS,
  ...REVIEW_ROWS,
  ...ACT_ROWS,
  ...SPACE_ROWS,
  ...MESSAGE_ROWS,
  ...PEOPLE_ROWS,
  ...HISTORY_ROWS,
  ...NETWORK_ROWS,
  ...RULE_ROWS,
]

export function nameOf({ procedure, about }: DeskRow): string {
  return about === undefined ? procedure : `${procedure}, ${about}`
}
