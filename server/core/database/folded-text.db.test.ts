import { expect, test } from 'vitest'
import { query, sql } from '#server/core/db.ts'
import { fold } from '#server/core/folding/fold.ts'
import { withoutAccents } from '#server/core/folding/without-accents.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { trickyText } from '#server/testing/tricky-texts.ts'

const { database } = await testDatabase()
const ctx = systemCtx(database)

/** Letters of Unicode 16 and 17, which have no small letter in older versions of PostgreSQL. */
const NEW_LETTERS = /[\u1c89\ua7cb-\ua7f1\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u
/** What Unicode 16 takes apart, such as outlined letters, and versions of PostgreSQL before 18 don't. */
const NEW_DECOMPOSITIONS = /[\u{105c9}\u{105e4}\u{1ccd6}-\u{1ccf9}]/u
const isOlder = (process.env.TEST_POSTGRES ?? '') !== ''
const UNASSIGNED = /\p{Cn}|\p{Co}|\p{Cs}/u

test('searches fold every character as rules do, and ignore accents beside that', async () => {
  const characters = Array.from({ length: 0x40_000 - 1 }, (_, index) => String.fromCodePoint(index + 1)).filter(
    (character) =>
      !UNASSIGNED.test(character) && !NEW_LETTERS.test(character) && !(isOlder && NEW_DECOMPOSITIONS.test(character)),
  )
  expect(await foldedDifferently(characters.map((character) => `a${character}b`))).toEqual([])
})

test('searches fold texts of all kinds as rules do', async () => {
  const numbers = randomNumbers()
  const texts = Array.from({ length: 3000 }, () => trickyText(numbers, 12))
  expect(await foldedDifferently([...texts, '', ' ', ' a \t\n  b ', '\u200b', '\u00a0 x \u3000\u2003y'])).toEqual([])
})

async function foldedDifferently(texts: string[]): Promise<object[]> {
  const rows = await query<{ text: string; searched: string }>(
    ctx,
    sql`select text, folded_text(text) as searched from unnest(${texts}::text[]) as text`,
  )
  expect(rows).toHaveLength(texts.length)
  return rows
    .map(({ text, searched }) => ({ text, searched, judged: fold(withoutAccents(text)).text }))
    .filter(({ searched, judged }) => searched !== judged)
}
