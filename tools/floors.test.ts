import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FLOORS, WINGS } from './floors.ts'

const ROOT = join(import.meta.dirname, '..')

test('ARCHITECTURE.md lists the wings of the domain in the order that the import check enforces', () => {
  expect(listedUnder('wing')).toEqual(WINGS.map((wing) => [wing]))
})

test('ARCHITECTURE.md lists the floors of the front end in the order that the import check enforces', () => {
  expect(listedUnder('floor')).toEqual(FLOORS)
})

test('ARCHITECTURE.md lists every folder of the domain, and no others', () => {
  expect(listedUnder('wing').flat().sort()).toEqual(foldersOf('server/modules'))
})

test('ARCHITECTURE.md lists every folder of the front end, and no others', () => {
  expect(listedUnder('floor').flat().sort()).toEqual(foldersOf('components'))
})

/** The folders in the first column of the table with that heading, row by row. */
function listedUnder(heading: string): string[][] {
  const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n')
  const rows = lines.slice(lines.findIndex((line) => line.startsWith(`| ${heading} |`)) + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((row) => {
    const [, cell = ''] = row.split('|')
    return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)
  })
}

function foldersOf(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}
