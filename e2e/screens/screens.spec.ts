import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { Database } from '#server/core/db.ts'
import type { Permission } from '#server/core/permissions.ts'
import { banPerson } from '#server/modules/bans/ban-person.ts'
import { loadSample, type SampleAccount } from '#server/modules/imports/load-sample.ts'
import { writeNote } from '#server/modules/notes/notes.ts'
import { ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { makeSample } from '../../prisma/sample/sample.ts'
import { expect, test } from '../fixtures.ts'

const WIDTHS = [1440, 320] as const
const THEMES = ['light', 'dark'] as const

/** What the screenshots of docs/screens show, each at both widths and in both themes: how one comes there from the queue. */
const SCREENS: Record<string, (page: Page) => Promise<void>> = {
  queue: async () => {},
  palette: async (page) => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog').getByRole('textbox')
    await field.fill('har')
    await expect(page.getByRole('dialog').getByRole('option', { name: 'Gwen Pritchard' })).toBeVisible()
  },
  users: async (page) => {
    await page.goto('/users?query=gwen+pritchrad')
    await expect(page.getByRole('row', { name: 'Gwen Pritchard' })).toBeVisible()
  },
  user: async (page) => {
    await page.request.post('/api/auth/sign-out', { data: {}, headers: { origin: DESK } })
    await signIn(page, 'Network admin')
    await page.goto(`/users/${PERSON}`)
    await expect(page.getByRole('region', { name: 'Bans and mutes' })).toContainText('Banned')
  },
  preferences: async (page) => {
    await page.goto('/settings/preferences')
    await expect(page.getByRole('heading', { level: 1, name: 'My preferences' })).toBeVisible()
  },
  'preferences-keys': async (page) => {
    await page.goto('/settings/preferences#keys')
    await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
    await page.keyboard.press('r')
    await expect(page.getByRole('button', { name: 'Swap the two' })).toBeVisible()
  },
  keys: async (page) => {
    await page.getByRole('option').first().focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keys on this page' })).toBeVisible()
  },
  'sign-in': async (page) => {
    await page.request.post('/api/auth/sign-out', { data: {}, headers: { origin: DESK } })
    await page.goto('/sign-in')
  },
}

const DESK = process.env.DESK_URL ?? ''
const PERSON = 'oscar-blum'
let accounts: SampleAccount[] = []

test.beforeAll(async ({ deskDatabase }) => {
  accounts = await loadSample(systemCtx(deskDatabase), makeSample)
  await givePast(deskDatabase)
})

for (const [name, open] of Object.entries(SCREENS)) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      test(`${name} at ${width} px, ${theme}`, async ({ page }) => {
        await page.setViewportSize({ width, height: width < 640 ? 700 : 900 })
        await page.context().addCookies([{ name: 'docket_theme', value: theme, url: DESK }])
        await signIn(page)
        await page.goto('/queue')
        await expect(page.getByRole('option').first()).toBeVisible()
        await open(page)
        await page.screenshot({
          path: fileURLToPath(new URL(`../../docs/screens/${name}-${width}-${theme}.png`, import.meta.url)),
        })
      })
    }
  }
}

/** Somebody whom a colleague has dealt with before. */
async function givePast(database: Database): Promise<void> {
  const { prisma } = database
  const { networkUserId, name } = await prisma.staffAccount.findFirstOrThrow({ where: { name: 'Robin Ade' } })
  const permissions = new Set<Permission>(['BAN_USER', 'MANAGE_POST_AND_COMMENT'])
  const ctx = ctxOf(database, { kind: 'admin', userId: networkUserId, name, rank: 1_000, permissions })
  const place = { scope: 'community' as const, communityId: 'late-show' }
  await banPerson(ctx, { userId: PERSON, place, minutes: 10_080, reason: 'spoilers, after two warnings' })
  await writeNote(ctx, { aboutUserId: PERSON, text: 'Argues hard, and stops when asked twice.' })
  const written = await prisma.comment.findMany({ where: { userId: PERSON }, orderBy: { createdAt: 'desc' } })
  await prisma.decision.createMany({
    data: written.map(({ commentId, communityId }, index) => ({
      ...{
        subjectType: 'comment' as const,
        subjectId: commentId,
        communityId,
        authorId: PERSON,
        door: 'desk' as const,
      },
      ...{
        outcome: index === 1 ? ('rejected' as const) : ('approved' as const),
        decidedByName: name,
        decidedBy: networkUserId,
      },
      ...{ version: 2, eventId: 0n, decidedAt: new Date(Date.now() - (index + 1) * 90_000_000) },
    })),
  })
}

/** As one of the accounts of the sample. */
async function signIn(page: Page, as = 'Community moderator'): Promise<void> {
  const { email, password } = accounts.find(({ title }) => title === as) ?? {}
  const answer = await page.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: DESK },
  })
  expect(answer.ok()).toBe(true)
}
