import type { DESK_CALLERS, DeskScene } from '#server/testing/procedures/desk-callers.ts'
import type { Each, Outcome } from '#server/testing/routes/row.ts'

/** What each of DESK_CALLERS gets, in their order. */
export type DeskOutcomes = Each<typeof DESK_CALLERS, Outcome>

/**
 * One way to call a procedure of the desk that succeeds, and what happens when each of DESK_CALLERS tries it on a scene of their own.
 *
 * To add a procedure: add a row to the file of its feature. Say first, from the contract, what each caller should get, then with
 * what it is called; `input` may first bring about what the call is about. A second row of one procedure is about something else,
 * such as an object that is somebody else's. Last, `npx vitest run -u --project database server/trpc/callers -t 'table stands'`
 * writes the table for people, docs/who-may-do-what.md.
 */
export interface DeskRow {
  /** As the desk calls it: `review.decide`. */
  procedure: string
  about?: string
  outcomes: DeskOutcomes
  input?: (scene: DeskScene) => unknown
}

/** Whoever has signed in. */
export const ANYBODY: DeskOutcomes = [401, 200, 200, 200, 200, 200, 200, 200, 200]
/** Who may decide on what waits in the scene's community; nobody else knows of it. */
export const REVIEWERS: DeskOutcomes = [401, 200, 404, 404, 404, 404, 200, 200, 200]
/** The same where the community is public, and so known to all. */
export const REVIEWERS_OF_THE_KNOWN: DeskOutcomes = [401, 200, 403, 403, 403, 403, 200, 200, 200]
/** Admins of the network alone. */
export const ADMINS: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 403, 200]
