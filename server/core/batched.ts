interface Call<Input, Result> {
  input: Input
  answer: PromiseWithResolvers<Result>
}

/**
 * Runs calls of the returned function together, once in `windowMs` at most: one that comes after a pause does not wait. `runAll` returns
 * a result for each input, in their order. If it fails, each input is run alone, so that one that cannot succeed fails no other.
 */
export function batched<Input, Result>(
  runAll: (inputs: Input[]) => Promise<Result[]>,
  { windowMs }: { windowMs: number },
): (input: Input) => Promise<Result> {
  let open: Call<Input, Result>[] = []
  let lastRunAt = Number.NEGATIVE_INFINITY

  function runOpen(): void {
    const calls = open
    open = []
    lastRunAt = performance.now()
    void runTogether(calls, runAll)
  }

  return (input) => {
    if (open.length === 0) setTimeout(runOpen, Math.max(0, lastRunAt + windowMs - performance.now()))
    const answer = Promise.withResolvers<Result>()
    open.push({ input, answer })
    return answer.promise
  }
}

type RunAll<Input, Result> = (inputs: Input[]) => Promise<Result[]>

async function runTogether<Input, Result>(calls: Call<Input, Result>[], runAll: RunAll<Input, Result>): Promise<void> {
  try {
    const results = await runAll(calls.map(({ input }) => input))
    for (const [index, result] of results.entries()) calls[index]?.answer.resolve(result)
  } catch (error) {
    if (calls.length === 1) calls[0]?.answer.reject(error)
    else await Promise.all(calls.map((call) => runTogether([call], runAll)))
  }
}
