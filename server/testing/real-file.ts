import { createReadStream } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip, gzipSync } from 'node:zlib'
import { scaled } from '#server/testing/scaled.ts'

/** The folder of real files to import (see CONTRIBUTING.md); undefined skips the tests that read them. */
export const REAL_FILES = process.env.DOCKET_DATA || undefined

type RealFileName = 'wikitalk.ndjson.gz' | 'ubuntu-irc.ndjson.gz'

/** What importing a file should add, by record type. */
type Counts = Record<string, number>

/**
 * A real file to import: a copy with its first comments and messages, up to this number times STRESS_SCALE, and without the people who wrote
 * nothing in it.
 */
export async function realFile(name: RealFileName, count: number): Promise<{ path: string; counts: Counts }> {
  const lines = withoutStrangers(firstTexts(await linesOf(join(REAL_FILES ?? '', name)), scaled(count)))
  const counts = Object.groupBy(lines, typeOf)
  const path = join(await mkdtemp(join(tmpdir(), 'docket-real-')), name)
  await writeFile(path, gzipSync(lines.map((line) => `${line}\n`).join('')))
  return { path, counts: Object.fromEntries(Object.entries(counts).map(([type, of]) => [type, of?.length ?? 0])) }
}

function linesOf(path: string): Promise<string[]> {
  return Array.fromAsync(createInterface({ input: createReadStream(path).pipe(createGunzip()) }))
}

/** Comments and messages come last, answers after what they answer. */
function firstTexts(lines: string[], count: number): string[] {
  const start = lines.findIndex(isText)
  return lines.slice(0, start + count)
}

function withoutStrangers(lines: string[]): string[] {
  const authors = new Set(lines.filter((line) => !isPerson(line)).flatMap(authorOf))
  return lines.filter((line) => !isPerson(line) || authorOf(line).some((userId) => authors.has(userId)))
}

const isText = (line: string) => ['comment', 'message'].includes(typeOf(line))
const isPerson = (line: string) => ['user', 'communityUser', 'channelUser'].includes(typeOf(line))
const typeOf = (line: string): string => line.slice('{"type":"'.length, line.indexOf('",'))

function authorOf(line: string): string[] {
  const { userId, postedUserId }: { userId?: string; postedUserId?: string } = JSON.parse(line)
  return [userId, postedUserId].filter((id) => id !== undefined)
}
