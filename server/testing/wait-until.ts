import { setTimeout as sleep } from 'node:timers/promises'

/** How long tests wait for something: only for what never comes, as a busy machine may take long. */
export const WAIT_LIMIT_MS = 120_000

/** Waits until it is so; fails with what was waited for. Tests use `eventually`, which also shows what is there instead. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${WAIT_LIMIT_MS / 1_000} s until ${what}`)
    await sleep(20)
  }
}
