import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Frees all that nothing refers to any more; in a turn of its own, as the current one still holds what its weak references led to. */
export async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  collect()
}
