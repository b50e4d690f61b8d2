import { beforeEach, type TestContext } from 'vitest'
import { isItsTurn } from '#server/testing/scaled.ts'

/** Makes the tests of the file take turns: they start whole programs or databases, hash many passwords or try many texts, which takes seconds. */
export function takeTurns(): void {
  beforeEach(waitForTurn)
}

/** Makes one test take turns. */
export function waitForTurn({ task, skip }: TestContext): void {
  skip(!isItsTurn(task.name), 'Its turn is another day')
}
