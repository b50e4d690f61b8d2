import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { sampled } from '#server/testing/scaled.ts'
import { CLOCK_CHANGES, narrowed, readHeldTalk, talkFile } from '#server/testing/talk-pages.ts'
import { expect, test } from './fixtures.ts'

const folder = process.env.DOCKET_DATA

/** High enough for all rows of a day to be rendered. */
test.use({ viewport: { width: 1440, height: 3_000 } })

test('a link with days in a time zone shows exactly the matching items (needs DOCKET_DATA)', {
  tag: '@stress',
}, async ({ page, desk }) => {
  test.skip(folder === undefined)
  await loadFiles(systemCtx(desk.database), { files: [talkFile(folder ?? '')], strict: false })
  const held = await readHeldTalk(talkFile(folder ?? ''))
  await desk.signIn(page, 'admin')

  for (const { timeZone, before, day, after } of sampled(CLOCK_CHANGES, 1)) {
    const filters: Record<string, string>[] = [
      { startDate: before, endDate: before },
      { startDate: day, endDate: day },
      { startDate: after, endDate: after },
      { startDate: before, endDate: after, text: 'article' },
    ]
    for (const filter of filters) {
      const asked = { communityId: 'talk-history', timeZone, ...filter }
      const expected = narrowed(held, asked)
      expect(expected.length).toBeGreaterThan(2)
      await page.goto(`${desk.url}/queue?${new URLSearchParams(asked)}`)
      await expect(page.getByRole('search')).toContainText(`${expected.length} of `)
      // The page comes with the rows of a screen, and reads the others.
      await expect(page.getByRole('option')).toHaveCount(expected.length)
      const rows = await page.getByRole('option').evaluateAll((options) => options.map(({ id }) => id))
      expect(rows).toEqual(expected.map((commentId) => `row-comment:${commentId}`))
    }
  }
})
