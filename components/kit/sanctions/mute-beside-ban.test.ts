import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The act by its name, and not the messages about it. */
const BAN = /(?<!useTranslations\()['"]ban['"]/
const MUTE = /(?<!useTranslations\()['"]mute['"]/

const sources = globSync('components/**/*.{ts,tsx}')
  .filter((path) => !/\.test\.tsx?$|\/i18n\//.test(path))
  .map((path) => ({ path, source: readFileSync(path, 'utf8') }))

test('wherever the desk offers a ban, it offers a mute', () => {
  const offering = sources.filter(({ source }) => BAN.test(source))
  expect(offering.length).toBeGreaterThan(5)
  expect(offering.filter(({ source }) => !MUTE.test(source)).map(({ path }) => path)).toEqual([])
})

test('every part of the desk that can ban can also mute', () => {
  const partsThat = (sanction: RegExp) =>
    new Set(sources.filter(({ source }) => sanction.test(source)).map(({ path }) => path.split('/')[1]))
  const banning = partsThat(/trpc\.(?:bans|members)\.ban\b|\bremoval\.ban\b/)
  expect(banning).toContain('messages')
  expect([...partsThat(/members\.mute\b|<MuteDialog\b/)]).toEqual(expect.arrayContaining([...banning]))
})
