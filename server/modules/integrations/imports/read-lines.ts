import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Duplex, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A record of more than four million characters is invalid; without a limit a file without line breaks would fill the memory. */
export const LINE_LIMIT_BYTES = 4 * 1_024 * 1_024
const READ_BYTES = 256 * 1_024
const LINE_FEED = 0x0a
const GZIP_MAGIC = 0x1f8b

/** One line, or why it could not be read as text. */
export type Line = { number: number; text: string } | { number: number; fault: string }

/** The non-blank lines of a file, gunzipped if its first bytes say gzip; a file whose name says so has to be. `onRead` is called for every chunk read from disk. */
export async function* readLines(path: string, onRead: (piece: Buffer) => void): AsyncGenerator<Line> {
  // Strips a byte order mark, too.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  for await (const bytes of splitLines(await openContent(path, onRead))) {
    number += 1
    const line = { number, ...decode(decoder, bytes) }
    if ('fault' in line || line.text.trim() !== '') yield line
  }
}

async function openContent(path: string, onRead: (piece: Buffer) => void): Promise<AsyncIterable<Buffer>> {
  const pieces = observed(createReadStream(path, { highWaterMark: READ_BYTES }), onRead)
  if (!(await isGzip(path))) {
    if (path.endsWith('.gz')) throw new Error('The name ends in .gz, but the file is not gzip data')
    return pieces
  }
  // A read error destroys both streams and is thrown where the content is read.
  return pipeline(Duplex.from(pieces), createGunzip({ chunkSize: READ_BYTES }), () => {})
}

async function* observed(pieces: AsyncIterable<Buffer>, onRead: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    onRead(piece)
    yield piece
  }
}

async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return bytesRead === 2 && buffer.readUInt16BE() === GZIP_MAGIC
}

/** Splits at line feeds; a line over the limit is dropped. */
async function* splitLines(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer | 'too long'> {
  let kept: Buffer[] = []
  let length = 0
  for await (const piece of content) {
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      yield length + end - from > LINE_LIMIT_BYTES ? 'too long' : join(kept, piece.subarray(from, end))
      kept = []
      length = 0
      from = end + 1
    }
    length += piece.length - from
    if (length > LINE_LIMIT_BYTES) kept = []
    else if (from < piece.length) kept.push(piece.subarray(from))
  }
  if (length > 0) yield length > LINE_LIMIT_BYTES ? 'too long' : Buffer.concat(kept)
}

function join(kept: Buffer[], last: Buffer): Buffer {
  return kept.length === 0 ? last : Buffer.concat([...kept, last])
}

function decode(decoder: TextDecoder, bytes: Buffer | 'too long'): { text: string } | { fault: string } {
  if (bytes === 'too long') return { fault: 'The line is longer than 4 MB' }
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return { fault: 'The line is not UTF-8' }
  }
}
