const TESTS_AT_ONCE = 20

/**
 * Gives each test of a table what it needs, from what `create` makes for many tests at once: that takes as many statements for a hundred
 * callers as for one.
 */
export function createInBatches<Test, Caller, Scene>(
  tests: readonly Test[],
  callersOf: (test: Test) => readonly Caller[],
  create: (callers: Caller[]) => Promise<Scene[]>,
): (index: number) => Promise<Scene[]> {
  const batches = new Map<number, Promise<Scene[]>>()
  return async (index) => {
    const first = index - (index % TESTS_AT_ONCE)
    const needs = tests.slice(first, first + TESTS_AT_ONCE).map(callersOf)
    const batch = batches.get(first) ?? create(needs.flat())
    batches.set(first, batch)
    const before = needs.slice(0, index - first).flat().length
    return (await batch).slice(before, before + (needs[index - first]?.length ?? 0))
  }
}
