import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 20

/** Waits until it is so, and fails with the message `otherwise` if that takes longer than `withinMs`. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  { withinMs, otherwise }: { withinMs: number; otherwise: string },
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(otherwise)
    await sleep(EVERY_MS)
  }
}
