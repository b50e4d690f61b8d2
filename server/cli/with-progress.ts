import { SingleBar } from 'cli-progress'

type OnProgress = (done: number, total: number) => void

/** Shows a bar during `work` if standard error is a terminal; otherwise `work` gets nothing to report to. */
export async function withProgress<Result>(
  isTerminal: boolean,
  work: (onProgress: OnProgress | undefined) => Promise<Result>,
): Promise<Result> {
  if (!isTerminal) return work(undefined)
  const bar = new SingleBar({ format: '{bar} {percentage}%  {eta_formatted} left', hideCursor: true })
  bar.start(1, 0)
  try {
    return await work((done, total) => {
      bar.setTotal(total)
      bar.update(done)
    })
  } finally {
    bar.stop()
  }
}
