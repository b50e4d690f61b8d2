/** Of error correction level L, by version from 1: the check bytes of a block, and how many blocks there are. */
const CHECK_BYTES = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]

type Modules = boolean[][]

/** The modules of a QR code, row by row, dark ones true (ISO/IEC 18004): bytes at level L, for at most 858 of them. */
export function toQrCode(text: string): Modules {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex((_, index) => bytes.length + headBytes(index + 1) <= dataBytes(index + 1)) + 1
  if (version === 0) throw new RangeError('too long for a QR code')

  const size = version * 4 + 17
  const modules: Modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const isFixed: Modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  drawPatterns(version, (x, y, isDark) => {
    const [row, fixed] = [modules[y], isFixed[y]]
    if (row?.[x] === undefined || !fixed) return
    row[x] = isDark
    fixed[x] = true
  })
  drawBits(modules, isFixed, interleave(version, dataOf(bytes, version)))
  return modules
}

/** Mode and length, in whole bytes with what follows the last of the text. */
const headBytes = (version: number) => (version < 10 ? 2 : 3)

/** Every module that is neither pattern nor format, in bytes. */
function rawBytes(version: number): number {
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2
  const alignment = aligned === 0 ? 0 : (25 * aligned - 10) * aligned - 55
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version >= 7 ? 36 : 0)) / 8)
}

function dataBytes(version: number): number {
  return rawBytes(version) - (CHECK_BYTES[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0)
}

/** Mode 0100, the length, the bytes, 0000, and the two bytes that fill what is left. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits = (value: number, length: number) => value.toString(2).padStart(length, '0')
  const text = [...bytes].map((byte) => bits(byte, 8)).join('')
  const all = `0100${bits(bytes.length, version < 10 ? 8 : 16)}${text}0000`
  const data = (all.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  while (data.length < dataBytes(version))
    data.push((data.length - bytes.length - headBytes(version)) % 2 ? 0x11 : 0xec)
  return data
}

/** The blocks with their check bytes, one byte of each in turn. */
function interleave(version: number, data: number[]): number[] {
  const count = BLOCKS[version - 1] ?? 0
  const checks = CHECK_BYTES[version - 1] ?? 0
  const total = rawBytes(version)
  const longer = total % count
  const short = Math.floor(total / count) - checks
  const divisor = divisorOf(checks)
  let at = 0
  const blocks = Array.from({ length: count }, (_, index) => {
    const length = short + (index < count - longer ? 0 : 1)
    at += length
    return data.slice(at - length, at)
  })
  const turns = (parts: number[][], length: number) =>
    Array.from({ length }, (_, place) => parts.flatMap((part) => part[place] ?? [])).flat()
  return [
    ...turns(blocks, short + 1),
    ...turns(
      blocks.map((block) => remainderOf(block, divisor)),
      checks,
    ),
  ]
}

/** In GF(2^8) over x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((other >>> bit) & 1) * one
  }
  return product
}

/** Of Reed and Solomon: the product of (x - 2^i), the highest coefficient left out. */
function divisorOf(degree: number): number[] {
  let divisor = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let factor = 0; factor < degree; factor += 1) {
    divisor = divisor.map((coefficient, index) => multiply(coefficient, root) ^ (divisor[index + 1] ?? 0))
    root = multiply(root, 2)
  }
  return divisor
}

function remainderOf(data: number[], divisor: number[]): number[] {
  return data.reduce<number[]>(
    (remainder, byte) => {
      const factor = byte ^ (remainder[0] ?? 0)
      return divisor.map((coefficient, index) => (remainder[index + 1] ?? 0) ^ multiply(coefficient, factor))
    },
    divisor.map(() => 0),
  )
}

type Draw = (x: number, y: number, isDark: boolean) => void

/** What is where it is in every code of this version: what a camera finds it by, and how it is read. */
function drawPatterns(version: number, draw: Draw): void {
  const size = version * 4 + 17
  for (let at = 0; at < size; at += 1) {
    draw(6, at, at % 2 === 0)
    draw(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    drawSquare([x, y], 4, [2, 4], draw)
  }
  const places = alignmentOf(version)
  const last = places.length - 1
  places.forEach((x, i) => {
    places.forEach((y, j) => {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isFinder) drawSquare([x, y], 2, [1], draw)
    })
  })
  drawFormat(size, draw)
  if (version >= 7) drawVersion(version, size, draw)
}

/** Rings around a module; those at a `light` distance are so. */
function drawSquare([x, y]: [number, number], reach: number, light: number[], draw: Draw): void {
  for (let dx = -reach; dx <= reach; dx += 1)
    for (let dy = -reach; dy <= reach; dy += 1)
      draw(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
}

function alignmentOf(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const rest = Array.from({ length: count - 1 }, (_, index) => version * 4 + 10 - index * step)
  return [6, ...rest.toReversed()]
}

/** Level L and mask 0, as its fifteen bits stand in the table of the standard. */
const FORMAT = 0b111011111000100

function drawFormat(size: number, draw: Draw): void {
  const bit = (index: number) => ((FORMAT >>> index) & 1) === 1
  for (let index = 0; index < 15; index += 1) {
    // Along column 8 downwards, then along row 8, past the lines that alternate.
    if (index < 8) draw(8, index < 6 ? index : index + 1, bit(index))
    else draw(index === 8 ? 7 : 14 - index, 8, bit(index))
    if (index < 8) draw(size - 1 - index, 8, bit(index))
    else draw(8, size - 15 + index, bit(index))
  }
  draw(8, size - 8, true)
}

function drawVersion(version: number, size: number, draw: Draw): void {
  let remainder = version
  for (let step = 0; step < 12; step += 1) remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25)
  const bits = (version << 12) | remainder
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >>> index) & 1) === 1
    const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)]
    draw(far, near, isDark)
    draw(near, far, isDark)
  }
}

/** Along its path through what is no pattern; mask 0 turns every other module over. */
function drawBits(modules: Modules, isFixed: Modules, bytes: number[]): void {
  const free = pathThrough(modules.length).filter(([x, y]) => isFixed[y]?.[x] === false)
  for (const [index, [x, y]] of free.entries()) {
    const row = modules[y]
    const isDark = (((bytes[index >>> 3] ?? 0) >>> (7 - (index & 7))) & 1) === 1
    if (row) row[x] = isDark !== ((x + y) % 2 === 0)
  }
}

/** Two columns at a time from the right, upwards and downwards in turn, past the column of the line that alternates. */
function pathThrough(size: number): [number, number][] {
  const rights = Array.from({ length: (size - 1) / 2 }, (_, index) => size - 1 - 2 * index)
  return rights.flatMap((place, index) => {
    const right = place > 6 ? place : place - 1
    return Array.from({ length: size }, (_, step) => {
      const y = index % 2 === 0 ? size - 1 - step : step
      return [right, right - 1].map((x): [number, number] => [x, y])
    }).flat()
  })
}
