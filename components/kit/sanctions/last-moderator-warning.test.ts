import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'

const sources = globSync('components/**/*.{ts,tsx}')
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, source: readFileSync(path, 'utf8') }))

/** A ban: by itself, or with what is removed with it. */
const BANS = /\b(?:bans|members)\.ban\.mutation|(?<!function )\buseRemoval\(/

/** The folders of the files that call one of these. */
const foldersThatCall = (mutations: RegExp) =>
  new Set(sources.filter(({ source }) => mutations.test(source)).map(({ path }) => dirname(path)))
const sourceOf = (folder: string) =>
  sources
    .filter(({ path }) => dirname(path) === folder)
    .map(({ source }) => source)
    .join('\n')

test('every dialog of a ban says before it whom it leaves without a moderator', () => {
  const banning = [...foldersThatCall(BANS)]
  expect(banning.length).toBeGreaterThan(3)
  expect(banning.filter((folder) => !sourceOf(folder).includes('<LastModeratorWarning'))).toEqual([])
})

test('every toast of a ban says whom it left without a moderator', () => {
  const banning = [...foldersThatCall(BANS)]
  expect(banning.filter((folder) => !/banWords\(|t\('noModerator'\)/.test(sourceOf(folder)))).toEqual([])
})
