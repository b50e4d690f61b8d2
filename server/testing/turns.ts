import { beforeEach } from 'vitest'
import { isItsTurn } from '#server/testing/scaled.ts'

/** Makes the tests of the file take turns: each starts whole programs or hashes many passwords, which takes seconds. */
export function takeTurns(): void {
  beforeEach(({ task, skip }) => skip(!isItsTurn(task.name), 'Its turn is another day'))
}
