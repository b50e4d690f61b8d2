import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { addRules } from '#server/modules/network/word-lists/add-rules.ts'
import { AddRules } from '#server/modules/network/word-lists/schema.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { expectNoFindings, windows } from './axe.ts'
import { moveToTop } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'

/** The flags apply to the whole network, so the tests run in sequence. */
test.describe.configure({ mode: 'default' })

test('an admin switches both flags by keyboard and sees who changed them last', async ({ page, desk }) => {
  // The site that comments of other tests link to.
  const ctx = ctxOf(desk.database, asAdmin(['MANAGE_NETWORK_SETTINGS']))
  await addRules(ctx, AddRules.parse({ list: 'allow', regexs: ['harbour.example'] }))
  const { name } = await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/flags`)
  for (const [label, column] of [
    ['Allow-listed links only', 'isWhitelistEnabled'],
    ['Activity report', 'isReportEnabled'],
  ] as const) {
    const section = page.getByRole('region', { name: label })
    const flag = section.getByRole('switch')
    const wasOn = await flag.isChecked()
    for (const isOn of [!wasOn, wasOn]) {
      await flag.focus()
      await page.keyboard.press('Space')
      if (isOn && column === 'isWhitelistEnabled') {
        await expect(page.getByRole('dialog')).toContainText('on the allow-list will be refused')
        await page.keyboard.press('Enter')
      }
      await expect(page.getByRole('status')).toHaveText(`${label}: ${isOn ? 'on' : 'off'}.`)
      await expect(section).toContainText(new RegExp(`${isOn ? 'On' : 'Off'} since .*, by ${name}`))
      const settings = await desk.database.prisma.networkSettings.findFirstOrThrow()
      expect(settings[column]).toBe(isOn)
    }
    await expect(section).toContainText('Right now:')
  }
  await page.reload()
  await expect(page.getByRole('region', { name: 'Activity report' })).toContainText(`by ${name}`)
})

test('a flag that cannot be saved switches back with an error', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/flags`)
  const flag = page.getByRole('region', { name: 'Activity report' }).getByRole('switch')
  const wasOn = await flag.isChecked()
  await page.route('**/api/trpc/settings.changeFlags**', (route) => route.abort())
  await flag.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t reach the server' })).toBeVisible()
  await expect(flag).toBeChecked({ checked: wasOn })
})

test('sites and words are added to and removed from their lists, and testing a text shows the effect', async ({
  page,
  desk,
}) => {
  const { name } = await desk.signIn(page, 'admin')
  const word = `regatta-${crypto.randomUUID().slice(0, 8)}`
  const site = `${word}.example`
  await page.goto(`${desk.url}/settings/flags`)

  await page.getByRole('button', { name: 'Add sites' }).click()
  await page.getByRole('textbox', { name: 'Sites' }).fill(`https://www.${site}/`)
  await page.keyboard.press('Control+Enter')
  const allowed = page.getByRole('grid', { name: 'Allow-list' }).getByRole('row', { name: site })
  await expect(allowed).toContainText('including subdomains')
  await expect(allowed).toContainText(name)

  await page.getByRole('button', { name: 'Add rules' }).click()
  await page.getByRole('textbox', { name: 'Words' }).fill('(')
  await page.getByRole('radio', { name: 'pattern' }).check()
  await page.getByRole('textbox', { name: 'Words' }).press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'isn’t a valid pattern' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Words' }).fill(word)
  await page.getByRole('radio', { name: 'whole words' }).check()
  await page.getByRole('textbox', { name: 'Words' }).press('Control+Enter')
  const blocked = page.getByRole('grid', { name: 'Block-list' }).getByRole('row', { name: word })
  await expect(blocked).toContainText('whole words')

  const tried = page.getByRole('region', { name: 'Test some text' })
  const attempt = async (text: string, outcome: RegExp) => {
    await tried.getByRole('textbox').fill(text)
    await expect(tried).toContainText(outcome)
  }
  await attempt(`the ${word} of the year`, /Blocked\..*matches the rule/)
  await attempt('a plain line', /Allowed\./)
  await attempt('see https://elsewhere.example/x', /Allowed\..*Links aren’t blocked while/)

  await blocked.getByRole('button', { name: `Remove ${word}` }).click()
  await expect(blocked).toHaveCount(0)
  await attempt(`the ${word} of the year`, /Allowed\./)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(blocked).toBeVisible()
  await blocked.getByRole('button', { name: `Remove ${word}` }).click()
  // As if it were the only site, while only listed links are allowed: other tests have sites on the list, and post links.
  await changeAnswers(page, {
    'lists.kept': (list) => ({ ...list, count: 1 }),
    'settings.flags': (flags) => ({ ...flags, settings: { isWhitelistEnabled: true, isReportEnabled: true } }),
  })
  await allowed.getByRole('button', { name: `Remove ${site}` }).click()
  const asked = page.getByRole('dialog', { name: 'Empty the allow-list' })
  await expect(asked).toContainText(site)
  await expect(asked).toContainText('every post, comment and message with a link will be refused')
  await expect(allowed).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(allowed).toHaveCount(0)
})

test('a report file can be downloaded, and the download is logged', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  const { prisma } = desk.database
  const subject = { subjectType: 'comment', subjectId: crypto.randomUUID() }
  await recordAudit(systemCtx(desk.database), { action: 'comment.deleted', ...subject })
  const { auditId } = await prisma.audit.findFirstOrThrow({ where: subject })
  const act = { at: new Date('2026-01-02T10:00:00Z'), event: 'comment.deleted', lineBytes: 40 }
  await prisma.reportedAct.upsert({ where: { auditId }, create: { auditId, ...act }, update: act })
  await page.goto(`${desk.url}/settings/flags`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download moderation-activity-2026-01-02.csv' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('moderation-activity-2026-01-02.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain(',')
  expect(await prisma.audit.count({ where: { action: 'report.downloaded', subjectId: '2026-01-02' } })).toBe(1)
})

test('a reason can be added, edited, moved by keyboard and archived', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/reasons`)
  const mark = crypto.randomUUID().slice(0, 6)
  const rows = page.getByRole('list', { name: 'Rejection reasons' }).getByRole('listitem')
  const own = rows.filter({ hasText: mark })
  for (const label of [`First ${mark}`, `Second ${mark}`]) {
    await page.getByRole('button', { name: 'Add reason' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(label)
    await page.getByRole('textbox', { name: 'Message to the author' }).fill(`Told of ${label}`)
    await page.keyboard.press('Control+Enter')
    await expect(rows.filter({ hasText: label }).first()).toContainText(`Told of ${label}`)
  }
  await expect(own.first()).toContainText('First')

  await page.getByRole('button', { name: 'Change order' }).click()
  await moveToTop(page, `Second ${mark}`)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(own.first()).toContainText('Second')
  await page.reload()
  await expect(own.first()).toContainText('Second')

  await page.getByRole('button', { name: `Edit First ${mark}…` }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Renamed ${mark}`)
  await page.keyboard.press('Control+Enter')
  await expect(rows.filter({ hasText: `Renamed ${mark}` })).toBeVisible()

  for (const label of [`Renamed ${mark}`, `Second ${mark}`]) {
    await page.getByRole('button', { name: `Archive ${label}…` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await expect(rows.filter({ hasText: label })).toHaveCount(0)
  }
})

test('a reason can be moved with the pointer', { tag: '@stress' }, async ({ page, desk }) => {
  const mark = crypto.randomUUID().slice(0, 6)
  const { prisma } = desk.database
  const label = (word: string) => `${word} ${mark}`
  for (const [index, word] of ['One', 'Two'].entries())
    await prisma.rejectionReason.create({ data: { label: label(word), position: 1_000 + index } })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/reasons`)
  await page.getByRole('button', { name: 'Change order' }).click()
  const row = (word: string) => page.getByRole('row', { name: label(word) })
  await row('Two').dragTo(row('One'), { targetPosition: { x: 60, y: 2 } })
  const order = async () =>
    (await page.getByRole('grid').getByRole('row').allTextContents())
      .filter((text) => text.includes(mark))
      .map((text) => text.includes('Two'))
  await expect.poll(order, { message: 'waited until the second reason is the first' }).toEqual([true, false])
  await prisma.rejectionReason.updateMany({ where: { label: { contains: mark } }, data: { isArchived: true } })
})

test('policies begin with a starter set, get versions, are named by a reason and are archived', async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'admin')
  const { prisma } = desk.database
  const mark = crypto.randomUUID().slice(0, 6)
  await page.goto(`${desk.url}/settings/policies`)
  const list = page.getByRole('list', { name: 'Policies' })
  await page.getByRole('button', { name: 'Add starter set' }).click()
  await expect(list.getByRole('button', { name: /^Edit / })).toHaveCount(12)
  await expect(page.getByRole('button', { name: 'Add starter set' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Add policy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title (English)' }).fill(`Off topic ${mark}`)
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Write both a title and a text in this language, or neither: English.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Text (English)' }).fill('Stay with the subject.')
  await dialog.getByRole('radio', { name: /العربية/ }).check()
  await dialog.getByRole('textbox', { name: 'Title (العربية)' }).fill(`خارج الموضوع ${mark}`)
  await dialog.getByRole('textbox', { name: 'Text (العربية)' }).fill('التزم بالموضوع.')
  await expectNoFindings(page)
  await page.keyboard.press('Control+Enter')
  const own = list.getByRole('listitem').filter({ hasText: `Off topic ${mark}` })
  await expect(own).toContainText('Our terms, Other violation of the terms, 1 strike, English, العربية, not used')

  await page.getByRole('button', { name: `Edit Off topic ${mark}…` }).click()
  await dialog.getByRole('radio', { name: 'The law' }).check()
  await dialog.getByRole('textbox', { name: 'Law', exact: true }).fill('Section 1')
  const { policyId } = await prisma.policyVersion.findFirstOrThrow({
    where: { texts: { path: ['en', 'title'], equals: `Off topic ${mark}` } },
  })
  const { version: _, ...first } = await prisma.policyVersion.findFirstOrThrow({ where: { policyId } })
  await prisma.policyVersion.create({
    data: { ...first, texts: first.texts ?? {}, version: 2, weight: 5 },
  })
  await prisma.policy.update({ where: { policyId }, data: { version: 2 } })
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Someone else saved a new version while you were editing.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(own).toContainText('Section 1')
  await own.locator('summary').click()
  await expect(own.getByText(/^Version \d, by/)).toHaveText([/3/, /2/, /1/])

  await page.goto(`${desk.url}/settings/reasons`)
  await page.getByRole('button', { name: 'Add reason' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Elsewhere ${mark}`)
  await page.getByRole('button', { name: 'Policy broken' }).click()
  await page.getByRole('menuitemradio', { name: `Off topic ${mark}` }).click()
  await page.getByRole('textbox', { name: 'Name' }).press('Control+Enter')
  const reason = page.getByRole('list', { name: 'Rejection reasons' }).getByRole('listitem').filter({ hasText: mark })
  await expect(reason).toContainText(`Policy: Off topic ${mark}`)

  await page.goto(`${desk.url}/settings/policies`)
  await page.getByRole('button', { name: `Archive Off topic ${mark}…` }).click()
  await expect(dialog).toContainText('It is named once: 1 rejection reason.')
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('list', { name: 'Archived policies' })).toContainText(`Off topic ${mark}`)
  await expectNoFindings(page)
  await page.goto(`${desk.url}/settings/reasons`)
  await expect(reason).toContainText(`Policy: Off topic ${mark} (archived)`)
  await prisma.rejectionReason.updateMany({ where: { label: { contains: mark } }, data: { isArchived: true } })
  // Dialogs of other tests ask for a policy where there is one. Theirs stay.
  await prisma.policy.deleteMany({ where: { OR: [{ starter: { not: null } }, { policyId }] } })
})

for (const size of windows(1440)) {
  test(`has no axe findings at ${size.width} × ${size.height} and fits the width`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(size)
    await desk.signIn(page, 'admin')
    const pattern = `axe-${crypto.randomUUID().slice(0, 8)}`
    await desk.database.prisma.listRule.create({ data: { list: 'block', pattern, matcher: pattern } })
    await page.goto(`${desk.url}/settings/flags`)
    await page.getByRole('region', { name: 'Test some text' }).getByRole('textbox').fill(`${pattern} https://a.example`)
    await expect(page.getByRole('region', { name: 'Test some text' })).toContainText('Blocked.')
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Add sites' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoFindings(page)
    await desk.database.prisma.listRule.deleteMany({ where: { pattern } })

    await page.goto(`${desk.url}/settings/reasons`)
    await expect(page.getByRole('list', { name: 'Rejection reasons' })).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Change order' }).click()
    await expect(page.getByRole('grid', { name: 'Rejection reasons' })).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page
      .getByRole('button', { name: /^Archive / })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoFindings(page)
  })
}

/** Changes what the page reads with these queries, also where they travel together. */
async function changeAnswers(page: Page, changes: Record<string, (answer: object) => object>): Promise<void> {
  const anyOf = Object.keys(changes).map(RegExp.escape).join('|')
  await page.route(new RegExp(`/api/trpc/([^?]+,)?(${anyOf})[,?]`), async (route) => {
    const response = await route.fetch()
    const queries = new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? []
    const answers = [await response.json()].flat().map(({ result }, index) => {
      const change = changes[queries[index] ?? '']
      return { result: change ? { ...result, data: change(result.data) } : result }
    })
    await route.fulfill({
      response,
      json: queries.length > 1 || route.request().url().includes('batch=1') ? answers : answers[0],
    })
  })
}
