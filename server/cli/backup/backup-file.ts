import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/**
 * A backup is one gzip stream of frames: a length of four bytes, big-endian, a letter, and that many bytes.
 *
 * - `H`, JSON: what the file is (`Header`); always first.
 * - `T`, JSON: the table that the following data is of (`TableHead`).
 * - `D`: a piece of its rows, in the text format of COPY.
 * - `E`, JSON: the end of the table, with its number of rows (`TableEnd`).
 * - `Z`, JSON: the end of the file: the values of the sequences, and an HMAC of all frames before, keyed with the secret.
 */
type FrameKind = 'H' | 'T' | 'D' | 'E' | 'Z'

export interface Header {
  format: 'docket backup'
  version: 1
  /** ISO 8601. */
  createdAt: string
  /** Of the server that it was read from. */
  postgres: string
  /** Proves the secret before anything else is read. */
  keyCheck: string
  /** The schema: the migrations that were applied, in their order. */
  migrations: { name: string; checksum: string }[]
  /** Estimates, for the progress of a restore. */
  rows: number
}

export interface TableHead {
  schema: string
  table: string
  columns: string[]
}

export interface TableEnd {
  rows: number
}

export interface SequenceValue {
  schema: string
  name: string
  value: string
}

export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'table'; table: TableHead }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'tableEnd'; end: TableEnd }
  | { kind: 'end'; sequences: SequenceValue[] }

const HEAD_BYTES = 5
/** Longer frames are not ours: a damaged length must not fill the memory. */
const LONGEST_FRAME = 64 * 1_048_576
const GZIP_LEVEL = 4

export const keyCheckOf = (key: Buffer) => createHmac('sha256', key).update('docket backup').digest('base64url')

/**
 * Writes the parts, of which the first is the header, as a new file. Fails if it exists; one that can't be finished is removed. `readBackup`
 * finds that the end is missing where the process was killed.
 */
export async function writeBackup(file: string, key: Buffer, parts: AsyncIterable<Part>): Promise<void> {
  // Readable by its owner only: it contains everything, also what signs people in.
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new Error(`${file} already exists. Choose another name, or remove it.`, { cause: error })
    throw error
  })
  try {
    await pipeline(framesOf(key, parts), createGzip({ level: GZIP_LEVEL }), handle.createWriteStream({ flush: true }))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

async function* framesOf(key: Buffer, parts: AsyncIterable<Part>): AsyncIterable<Buffer> {
  const mac = createHmac('sha256', key)
  const signed = (kind: FrameKind, bytes: Buffer) => {
    const frame = frameOf(kind, bytes)
    mac.update(frame)
    return frame
  }
  for await (const part of parts) {
    if (part.kind === 'header') yield signed('H', json(part.header))
    if (part.kind === 'table') yield signed('T', json(part.table))
    if (part.kind === 'data') yield signed('D', part.bytes)
    if (part.kind === 'tableEnd') yield signed('E', json(part.end))
    if (part.kind === 'end') yield frameOf('Z', json({ sequences: part.sequences, mac: mac.digest('base64url') }))
  }
}

function frameOf(kind: FrameKind, bytes: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(bytes.length)
  head.write(kind, HEAD_BYTES - 1, 'latin1')
  return Buffer.concat([head, bytes])
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Reads a backup from its beginning; throws an error with one line at the first thing that is not as it was written. */
export async function* readBackup(file: string, key: Buffer): AsyncGenerator<Part, void> {
  const mac = createHmac('sha256', key)
  let last: Part['kind'] | undefined
  for await (const frame of readFrames(file)) {
    if (last === 'end') throw damaged(file, 'it goes on after its end')
    if (last === undefined && frame.kind !== 'H') throw damaged(file, IS_NOT_OURS)
    const part = partOf(file, key, frame, mac)
    last = part.kind
    yield part
  }
  if (last !== 'end') throw damaged(file, 'its end is missing')
}

function partOf(file: string, key: Buffer, { kind, head, bytes }: Frame, mac: Hmac): Part {
  if (kind !== 'Z') mac.update(head).update(bytes)
  switch (kind) {
    case 'H':
      return { kind: 'header', header: checkedHeader(file, key, parse(file, bytes) as Header) }
    case 'T':
      return { kind: 'table', table: parse(file, bytes) as TableHead }
    case 'D':
      return { kind: 'data', bytes }
    case 'E':
      return { kind: 'tableEnd', end: parse(file, bytes) as TableEnd }
    case 'Z': {
      const { sequences, mac: written } = parse(file, bytes) as { sequences: SequenceValue[]; mac: string }
      if (!isSame(mac.digest(), Buffer.from(written, 'base64url'))) throw damaged(file, 'it was changed')
      return { kind: 'end', sequences }
    }
    default:
      throw damaged(file, IS_NOT_OURS)
  }
}

function checkedHeader(file: string, key: Buffer, header: Header): Header {
  if (header.format !== 'docket backup') throw damaged(file, IS_NOT_OURS)
  if (header.version !== 1)
    throw new Error(`${file} was written by a newer version of Docket. Restore it with that version.`)
  if (header.keyCheck !== keyCheckOf(key))
    throw new Error(
      `${file} was written with another secret. Set DOCKET_SECRET to that secret, or DOCKET_HOME to the home that has it.`,
    )
  return header
}

interface Frame {
  kind: string
  head: Buffer
  bytes: Buffer
}

async function* readFrames(file: string): AsyncIterable<Frame> {
  const source = createReadStream(file)
  const unzipped = source.pipe(createGunzip())
  // A file that can't be opened, or read to its end.
  source.once('error', (error) => unzipped.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const piece of unzipped) {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      for (let frame = firstFrame(file, rest); frame !== undefined; frame = firstFrame(file, rest)) {
        yield frame
        rest = rest.subarray(HEAD_BYTES + frame.bytes.length)
      }
    }
  } catch (error) {
    throw explained(file, error)
  } finally {
    source.destroy()
    unzipped.destroy()
  }
  if (rest.length > 0) throw damaged(file, IS_CUT)
}

/** The first frame of these bytes; undefined while it isn't complete. */
function firstFrame(file: string, bytes: Buffer): Frame | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const end = HEAD_BYTES + bytes.readUInt32BE()
  if (end > LONGEST_FRAME) throw damaged(file, IS_NOT_OURS)
  if (bytes.length < end) return undefined
  const head = bytes.subarray(0, HEAD_BYTES)
  return { kind: head.toString('latin1', HEAD_BYTES - 1), head, bytes: bytes.subarray(HEAD_BYTES, end) }
}

const IS_NOT_OURS = 'it is not a backup of Docket, or was changed'
const IS_CUT = 'it is cut off'

function explained(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return damaged(file, IS_CUT)
  if (code.startsWith('Z_')) return damaged(file, IS_NOT_OURS)
  if (code === 'ENOENT') return new Error(`There is no file ${file}.`)
  return error
}

function damaged(file: string, problem: string): Error {
  return new Error(`${file} can't be restored: ${problem}. Nothing was written.`)
}

function parse(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    throw Object.assign(damaged(file, IS_NOT_OURS), { cause: error })
  }
}

/** Rows in the text format of COPY end with a line feed; one inside a value is escaped. */
export function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
