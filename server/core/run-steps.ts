/** Runs each step, also after one that failed, then throws the first failure. True if one of them has more to do. */
export async function runSteps(steps: (() => unknown)[]): Promise<boolean> {
  const failures: unknown[] = []
  let more = false
  for (const step of steps) {
    try {
      if ((await step()) === true) more = true
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return more
}
