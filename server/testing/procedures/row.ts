import type { DESK_CALLERS, DeskScene } from '#server/testing/procedures/desk-callers.ts'
import type { Each, Outcome } from '#server/testing/routes/row.ts'

/** The result for each of DESK_CALLERS, in their order. */
export type DeskOutcomes = Each<typeof DESK_CALLERS, Outcome>

/**
 * One way to call a procedure of the desk that succeeds, and what happens when each of DESK_CALLERS tries it on a scene of their own.
 *
 * To add a procedure: add a row to the file of its feature. First state, from the contract, what each caller should get, then the call's
 * input; `input` may first create what the call is about. A second row of one procedure covers another case, such as an object that belongs
 * to somebody else. Last, `npx vitest run -u --project database server/trpc/callers -t 'docs contain the table'` writes the readable table,
 * docs/who-may-do-what.md.
 */
export interface DeskRow {
  /** The name the desk calls it by: `review.decide`. */
  procedure: string
  about?: string
  outcomes: DeskOutcomes
  input?: (scene: DeskScene) => unknown
}

/** Everyone who has signed in. */
export const ANYBODY: DeskOutcomes = [401, 200, 200, 200, 200, 200, 200, 200, 200]
/** Those who may decide on pending items of the scene's community; nobody else may see it. */
export const REVIEWERS: DeskOutcomes = [401, 200, 404, 404, 404, 404, 200, 200, 200]
/** Those who may decide on pending items of the scene's community, which is public and so visible to all. */
export const REVIEWERS_OF_THE_KNOWN: DeskOutcomes = [401, 200, 403, 403, 403, 403, 200, 200, 200]
/** Only network admins. */
export const ADMINS: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 403, 200]
