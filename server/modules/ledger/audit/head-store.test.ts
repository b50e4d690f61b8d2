import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Head } from '#server/modules/ledger/audit/audit-head.ts'
import { openHeadStore, readHeadFile } from '#server/modules/ledger/audit/head-store.ts'
import { eventually } from '#server/testing/eventually.ts'

const key = Buffer.alloc(32, 7)
let home = ''
let file = ''
let lines: Record<string, unknown>[] = []
const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
const head = (seq: number, generation = 1): Head => ({
  generation,
  seq: String(seq),
  count: String(seq),
  hash: String(seq % 10).repeat(64),
  at: '2026-11-22T10:00:00.000Z',
})

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'docket-head-'))
  file = path.join(home, 'made', 'audit-head.json')
  lines = []
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(home, { recursive: true })
})

test('writes a head one second after its commit, and the last one when the process stops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const heads = await openHeadStore({ file, key, log })
  heads.keep(head(3))
  heads.keep(head(4))
  expect(await readHeadFile(file, key)).toEqual({})
  vi.advanceTimersByTime(1_000)
  await eventually('the head is in its file', () => readHeadFile(file, key)).toEqual({ head: head(4) })
  heads.keep(head(5))
  await heads.close()
  expect(await readHeadFile(file, key)).toEqual({ head: head(5) })
  expect(await readdir(path.dirname(file))).toEqual(['audit-head.json'])
})

test('logs a signed head at first, every ten minutes and at the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const heads = await openHeadStore({ file, key, log })
  heads.keep(head(3))
  heads.keep(head(4))
  vi.advanceTimersByTime(600_001)
  heads.keep(head(5))
  heads.keep(head(6))
  await heads.close()
  const seqs = lines.map(({ auditHead }) => (auditHead as { seq: string; mac: string }).seq)
  expect(seqs).toEqual(['3', '5', '6'])
  expect(lines[0]).toMatchObject({ auditHead: { mac: expect.stringMatching(/^[0-9a-f]{64}$/) } })
})

test('does not overwrite a higher head with a lower one of another process, but replaces it with one of a higher generation', async () => {
  const [one, other] = [await openHeadStore({ file, key, log }), await openHeadStore({ file, key, log })]
  one.keep(head(9))
  await one.close()
  other.keep(head(8))
  await other.close()
  expect(await readHeadFile(file, key)).toEqual({ head: head(9) })
  other.keep(head(2, 2))
  await other.close()
  expect(await readHeadFile(file, key)).toEqual({ head: head(2, 2) })
  one.keep(head(10))
  await one.close()
  expect(await readHeadFile(file, key)).toEqual({ head: head(2, 2) })
})

test('reports a file that is not signed with the secret until it is rewritten', async () => {
  const heads = await openHeadStore({ file, key, log })
  heads.keep(head(9))
  await heads.close()
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"seq":"9"', '"seq":"7"'))
  const after = await openHeadStore({ file, key, log })
  expect(await after.known()).toEqual({ problem: `the head in ${file} is not signed with this DOCKET_SECRET` })
  await writeFile(file, '')
  expect((await after.known()).problem).toContain('is not signed')
  await writeFile(file, text)
  expect(await after.known()).toEqual({ head: head(9) })
})

test('reports once that sealing stopped and once that it continues, to the log and to the metrics', async () => {
  const states: unknown[] = []
  const heads = await openHeadStore({ file, key, log, onChange: (state) => states.push(state) })
  heads.stopSealing(undefined)
  heads.stopSealing('the log was cut')
  heads.stopSealing('the log was cut')
  heads.stopSealing(undefined)
  expect(states).toEqual([
    { seq: '0', problem: undefined },
    { seq: '0', problem: 'the log was cut' },
    { seq: '0', problem: undefined },
  ])
  expect(lines.map(({ problem, msg }) => [problem, msg])).toEqual([
    ['the log was cut', 'audit: sealing stopped; run "docket audit verify"'],
    [undefined, 'audit: sealing resumed'],
  ])
})

test('warns about a home that can’t be written, and keeps the head in memory', async () => {
  await writeFile(path.join(home, 'made'), 'a file where the folder should be')
  const heads = await openHeadStore({ file, key, log })
  heads.keep(head(3))
  await heads.close()
  expect(lines.some(({ msg }) => msg === 'audit: the head of the log cannot be written to its file')).toBe(true)
  expect(await heads.known()).toEqual({ head: head(3) })
})
