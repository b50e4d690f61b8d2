import { ACT_ROWS } from '#server/testing/procedures/acts.ts'
import { NETWORK_ROWS } from '#server/testing/procedures/network.ts'
import { OWN_ROWS } from '#server/testing/procedures/own.ts'
import { PEOPLE_ROWS } from '#server/testing/procedures/people.ts'
import { REVIEW_ROWS } from '#server/testing/procedures/review.ts'
import type { DeskRow } from '#server/testing/procedures/row.ts'

/** Every procedure of the desk; one that is missing fails the tests. */
export const DESK_ROWS: DeskRow[] = [...OWN_ROWS, ...REVIEW_ROWS, ...ACT_ROWS, ...PEOPLE_ROWS, ...NETWORK_ROWS]

export function nameOf({ procedure, about }: DeskRow): string {
  return about === undefined ? procedure : `${procedure}, ${about}`
}
