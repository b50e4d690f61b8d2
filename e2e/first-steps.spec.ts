import type { Page } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

/** Signs in as a moderator who has never decided on anything. */
async function openAsNewcomer(page: Page, desk: Desk) {
  const { userId } = await desk.signIn(page, 'moderator')
  await desk.database.prisma.staffPreference.update({ where: { userId }, data: { preferences: {} } })
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(stepsOn(page)).toBeVisible()
  return { isStored: () => isStored(desk, userId) }
}

/** Whether the server knows that they are done. */
async function isStored({ database: { prisma } }: Desk, userId: string): Promise<boolean> {
  const { preferences } = await prisma.staffPreference.findUniqueOrThrow({ where: { userId } })
  return Object(preferences).areFirstStepsDone === true
}

const stepsOn = (page: Page) => page.getByRole('region', { name: 'First steps' })

test('a new moderator sees three first steps, follows them by key, and never sees them again', async ({
  page,
  desk,
}) => {
  const { isStored } = await openAsNewcomer(page, desk)
  await expect(stepsOn(page).getByRole('listitem')).toHaveCount(3)
  await expectNoFindings(page)
  await page.keyboard.press('a')
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone: Author first')
  await expect(stepsOn(page)).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(stepsOn(page)).toHaveCount(0)

  await expect.poll(isStored, { message: 'waited until the server knows it' }).toBe(true)
  await page.reload()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expect(stepsOn(page)).toHaveCount(0)
})

test('the first steps are closed by mouse, in every tab', async ({ page, desk }) => {
  const { isStored } = await openAsNewcomer(page, desk)
  await stepsOn(page).getByRole('button').click()
  await expect(stepsOn(page)).toHaveCount(0)
  await expect.poll(isStored, { message: 'waited until the server knows it' }).toBe(true)
  const other = await page.context().newPage()
  await other.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(other.getByRole('option').first()).toBeVisible()
  await expect(stepsOn(other)).toHaveCount(0)
})
