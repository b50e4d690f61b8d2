import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { END_WITH_PARENT } from '#server/testing/end-with-parent.ts'
import { eventually } from '#server/testing/eventually.ts'

test('a program that a test runs ends when the process of the test is killed', async () => {
  const program = ['--eval', 'setInterval(() => {}, 1_000); console.log(process.pid)']
  const parent = spawn(process.execPath, [
    '--eval',
    `require('node:child_process').spawn(process.execPath, ${JSON.stringify([...END_WITH_PARENT, ...program])}, {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })`,
  ])
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  expect(isRunning(pid)).toBe(true)

  parent.kill('SIGKILL')
  await eventually('the program has ended', () => isRunning(pid)).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
