import { readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import type { Database } from '#server/core/database/open-database.ts'
import { openWave, tick } from '../desk-pages.ts'
import { expect, test } from '../fixtures.ts'
import {
  type Account,
  type Cast,
  deliverSomething,
  itemOf,
  keepClassifiers,
  keepLists,
  messageOf,
  rejectedElsewhere,
  writtenItemOf,
} from './stage.ts'

type Look = `${1440 | 320}-${'light' | 'dark'}`

const WIDE: Look[] = ['1440-light']
const BOTH_WIDTHS: Look[] = ['1440-light', '320-light']
const ALL: Look[] = ['1440-light', '1440-dark', '320-light', '320-dark']

interface Scene {
  page: Page
  browser: Browser
  database: Database
  /** Signs in, as the moderator by default, and opens the queue. */
  open(search?: string, as?: Account): Promise<void>
  /** Takes the screenshot: of the page, or of the dialog and some of the page around it. */
  shoot(): Promise<void>
}

interface Screen {
  looks: Look[]
  /** Opens the screen, takes the screenshot and restores the sample data. */
  show(scene: Scene): Promise<void>
}

const PICTURES = new URL('../../docs/screens/', import.meta.url)
const DESK = process.env.DESK_URL ?? ''
const CAST = JSON.parse(process.env.DESK_CAST ?? '{}') as Cast

/** The screenshots of docs/screens, by name. */
const SCREENS: Record<string, Screen> = {
  queue: {
    looks: ALL,
    show: async ({ page, browser, database, open, shoot }) => {
      const colleague = await browser.newPage()
      await signIn(colleague, CAST.colleague)
      await colleague.goto(`${DESK}/queue?item=${await itemOf(database, 'pay for your boat')}`)
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await expect(page.getByRole('article').getByText('is looking at this')).toBeVisible()
      await shoot()
      await colleague.close()
    },
  },
  'queue-search': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?text=ferry&item=${await itemOf(database, 'WHY TAKE THE FERRY')}`)
      await expect(page.getByRole('article').locator('mark').first()).toBeVisible()
      await shoot()
    },
  },
  'queue-list': {
    looks: ['320-light', '320-dark'],
    show: async ({ open, shoot }) => {
      await open()
      await shoot()
    },
  },
  'queue-compact': {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
      await shoot()
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await expect(page.locator('html')).not.toHaveAttribute('data-density', 'compact')
    },
  },
  'queue-by-score': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?communityId=harbour-town&signal=toxicity&scoreFrom=0.5&order=score')
      await expect(page.getByRole('search')).toContainText('toxicity at least 0.50')
      await expect(page.getByRole('option').first()).toContainText('Score 0.91')
      await shoot()
    },
  },
  filters: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?kind=comment')
      await page.keyboard.press('f')
      await page.getByRole('menuitem', { name: 'Written between' }).click()
      await expect(page.getByRole('grid').first()).toBeVisible()
      await shoot()
    },
  },
  views: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.getByRole('navigation').getByRole('link', { name: 'Past the target' }).click()
      await page.getByRole('search').getByRole('button', { name: 'Past the target', exact: true }).click()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
      await shoot()
    },
  },
  escalated: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?view=escalated&item=${await itemOf(database, 'putting down poison')}`)
      await expect(page.getByRole('article')).toContainText('escalated this')
      await shoot()
    },
  },
  reported: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?view=reported', CAST.admin)
      await page.getByRole('option', { name: 'Message' }).click()
      await expect(page.getByRole('article')).toContainText('wrote earlier')
      await shoot()
    },
  },
  'reported-by-rule': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?view=reported&item=${await writtenItemOf(database, 'nobody claps')}`)
      await expect(page.getByRole('article').locator('mark')).toHaveText('in the last scene')
      await expect(page.getByRole('article')).toContainText('Spoiler?')
      await shoot()
    },
  },
  'rejected-by-rule': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await writtenItemOf(database, 'w a l l e t')}`)
      await expect(page.getByRole('article')).toContainText('Rejected by Wallets and coins')
      await expect(page.getByRole('article').getByRole('button', { name: 'Restore' })).toBeVisible()
      await shoot()
    },
  },
  'muted-by-rule': {
    looks: ALL,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await writtenItemOf(database, 'w a l l e t')}`)
      const unmute = page.getByRole('article').getByRole('button', { name: 'Unmute' })
      await expect(unmute).toBeVisible()
      await unmute.evaluate((button) => button.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  'message-rejected-by-rule': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await messageOf(database, 'Last day: boat')}`, CAST.admin)
      await expect(page.getByRole('article')).toContainText('Rejected by Insurance offers')
      await expect(page.getByRole('article').getByRole('button', { name: 'Restore' })).toBeVisible()
      await shoot()
    },
  },
  'message-restored': {
    looks: ALL,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await messageOf(database, 'The port office')}`, CAST.admin)
      await page.getByRole('article').getByRole('button', { name: 'Restore' }).click()
      await expect(page.getByRole('article')).toContainText('approved this')
      await expect(page.getByRole('region', { name: 'Last decision' }).filter({ visible: true })).toBeVisible()
      await shoot()
      await undo(page)
    },
  },
  mine: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      for (const search of ['', '?view=reported']) {
        await open(search, CAST.admin)
        await page.getByRole('option').nth(1).click()
        await page.keyboard.press('c')
        await expect(page.getByRole('status')).toContainText('Claimed until')
      }
      await open('?view=mine', CAST.admin)
      await page.getByRole('option').nth(1).click()
      await expect(page.getByRole('article').getByRole('button', { name: 'Release' })).toBeVisible()
      await shoot()
      for (const left of [1, 0]) {
        await page.keyboard.press('c')
        await expect(page.getByRole('option')).toHaveCount(left)
      }
    },
  },
  many: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await chooseSix(page)
      await shoot()
    },
  },
  'many-preview': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await chooseSix(page)
      await page.keyboard.press('a')
      await expect(page.getByRole('dialog')).toContainText('will be approved.')
      await shoot()
    },
  },
  'many-done': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open()
      await chooseSix(page)
      await page.keyboard.press('a')
      await expect(page.getByRole('dialog')).toContainText('will be approved.')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('Undo (')
      await shoot()
      await page.keyboard.press('u')
      await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('Undone')
      await page.getByRole('region', { name: 'Bulk action' }).getByRole('button', { name: 'Dismiss' }).click()
      // Too old to be shown by the pages of other pictures.
      await database.pool.query(
        `update bulk set created_at = created_at - interval '1 day', finished_at = finished_at - interval '1 day'`,
      )
    },
  },
  reasons: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'Replica watches')}`)
      await page.keyboard.press('r')
      // On a phone the reasons are behind a button.
      if (page.viewportSize()?.width === 320) await page.getByRole('button', { name: 'Reason' }).click()
      await expect(page.getByRole('group', { name: 'Reason for' }).filter({ visible: true })).toBeVisible()
      await shoot()
      await undo(page)
    },
  },
  ban: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'Replica watches')}`)
      await page.keyboard.press('b')
      const dialog = page.getByRole('dialog', { name: 'Ban Best Deals 24' })
      await tick(dialog.getByRole('checkbox'))
      await expect(dialog.getByRole('listitem').first()).toBeVisible()
      await page.keyboard.press('4')
      await shoot()
    },
  },
  note: {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await page.keyboard.press('n')
      await page.getByRole('dialog').getByRole('textbox').fill('Answered kindly when I wrote to him about the gulls.')
      await shoot()
    },
  },
  escalate: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'SHE IS IN MY SHED')}`)
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog', { name: 'Escalate this item by Inês Carvalho' })
      await dialog.getByRole('textbox').first().fill('Her address is in it. Do we take it down or ask her first?')
      await page.keyboard.press('Tab')
      await page.keyboard.type('noor')
      await expect(page.getByRole('option', { name: 'Noor Rahman', exact: true })).toBeVisible()
      await shoot()
    },
  },
  'in-words': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, '12 places left')}`)
      await page.keyboard.press('0')
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .first()
        .fill('Sells places in a scheme; the third one this week.')
      await shoot()
    },
  },
  thread: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await page.keyboard.press('o')
      await expect(page.getByRole('dialog', { name: 'Thread' })).toContainText('this item')
      await shoot()
    },
  },
  conflict: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      // They receive no live event before they decide.
      await page.route('**/api/trpc/live.events**', (route) => route.abort())
      const words = '12 places left'
      await open(`?item=${await itemOf(database, words)}`)
      await page.keyboard.press('0')
      await page.getByRole('dialog').getByRole('textbox').first().fill('The third one of these this week.')
      const whileShown = async () => {
        await page.keyboard.press('Control+Enter')
        await expect(page.getByText('Noor Rahman rejected the comment').filter({ visible: true })).toBeVisible()
        await shoot()
      }
      await rejectedElsewhere(database, { words, by: CAST.colleague, whileShown })
    },
  },
  offline: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'chakalaka')}`)
      await page.context().setOffline(true)
      await expect(page.getByText(/^Offline since/).first()).toBeVisible()
      for (const key of ['a', 'a', 'r']) await page.keyboard.press(key)
      await expect(page.getByText('3 decisions will be sent when you’re back online.')).toBeVisible()
      await shoot()
    },
  },
  empty: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.idle)
      await expect(page.getByRole('heading', { name: 'Nothing to review' })).toBeVisible()
      await shoot()
    },
  },
  'no-match': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?text=boat&hasMedia=true')
      await expect(page.getByRole('heading', { name: /^No matches in/ })).toBeVisible()
      await expect(page.getByText(/Remove .* to see/)).toBeVisible()
      await shoot()
    },
  },
  loading: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.route('**/api/trpc/review.queue**', () => {})
      await chooseOldestFirst(page)
      await expect(page.getByText('Loading').first()).toBeAttached()
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'))
      await shoot()
    },
  },
  failed: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.route('**/api/trpc/review.queue**', (route) => route.abort())
      await chooseOldestFirst(page)
      await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible({ timeout: 20_000 })
      await shoot()
    },
  },
  'covered-picture': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'chakalaka')}`)
      await expect(page.getByRole('article')).toContainText('1 image, hidden')
      await shoot()
    },
  },
  'covered-text': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open()
      await prefer(page, { coveredText: 'all' })
      await page.goto(`/queue?item=${await itemOf(database, 'pay for your boat')}`)
      await expect(page.getByRole('article').getByRole('button', { name: 'Show text' }).first()).toBeVisible()
      await shoot()
      await prefer(page, { coveredText: 'none' })
    },
  },
  arabic: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await speak(page, 'ar')
      await open(`?item=${await itemOf(database, 'أستقل')}`)
      await shoot()
    },
  },
  'arabic-settings': {
    looks: BOTH_WIDTHS,
    show: async ({ page, shoot }) => {
      await speak(page, 'ar')
      await signIn(page, CAST.admin)
      await page.goto('/settings/flags')
      await expect(page.getByRole('switch').first()).toBeVisible()
      await shoot()
    },
  },
  'arabic-insights': {
    looks: WIDE,
    show: async ({ page, shoot }) => {
      await speak(page, 'ar')
      await signIn(page, CAST.admin)
      await page.goto('/insights')
      await expect(page.getByRole('img').first()).toBeVisible()
      await shoot()
    },
  },
  german: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await speak(page, 'de')
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await shoot()
    },
  },
  'forced-colours': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await page.emulateMedia({ forcedColors: 'active' })
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await shoot()
    },
  },
  palette: {
    looks: ALL,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'SHE IS IN MY SHED')}`)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('textbox').fill('har')
      await expect(page.getByRole('dialog').getByRole('option', { name: 'Gwen Pritchard' })).toBeVisible()
      await shoot()
    },
  },
  keys: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.getByRole('option').first().focus()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await shoot()
    },
  },
  users: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/users?query=gwen+pritchrad')
      await expect(page.getByRole('row', { name: 'Gwen Pritchard' })).toBeVisible()
      await shoot()
    },
  },
  user: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/users/oscar-blum')
      await expect(page.getByRole('region', { name: 'Bans and mutes' })).toContainText('Banned')
      await shoot()
    },
  },
  members: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/channels/harbour-watch?filter=member%26banned&sort=displayName&chosen=isla-mackay,rosa-quispe')
      await expect(page.getByRole('row', { name: 'Oscar Blum' })).toContainText('Banned')
      await expect(page.getByRole('toolbar')).toContainText('2 selected')
      await shoot()
    },
  },
  channels: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/channels')
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await shoot()
    },
  },
  messages: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/messages?channelId=harbour-watch&message=harbour-watch-message-5')
      await expect(page.getByRole('region', { name: 'Conversation' }).getByRole('listitem').nth(4)).toBeVisible()
      await shoot()
    },
  },
  community: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/harbour-town?tab=settings')
      await expect(page.getByRole('switch').first()).toBeVisible()
      await shoot()
    },
  },
  'community-members': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/late-show?sort=displayName&chosen=best-deals-24')
      const muted = page.getByRole('row', { name: 'Best Deals 24' })
      await expect(muted).toContainText('Muted')
      await muted.evaluate((row) => row.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  mute: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/late-show?query=mei-lin-chen&chosen=mei-lin-chen')
      await page.getByRole('button', { name: 'Mute 1…' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: '1 day' }).check()
      await shoot()
    },
  },
  preferences: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/preferences')
      await expect(page.getByRole('heading', { name: 'My preferences' }).first()).toBeVisible()
      await shoot()
    },
  },
  'preferences-keys': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/preferences#keys')
      await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
      await page.keyboard.press('r')
      await expect(page.getByRole('button', { name: 'Swap keys' })).toBeVisible()
      await shoot()
    },
  },
  ...Object.fromEntries(
    (['staff', 'security', 'credentials', 'roles'] as const).map((part) => [
      part,
      {
        looks: ALL,
        show: async ({ page, shoot }: Scene) => {
          await signIn(page, CAST.admin)
          await page.goto(`/settings/${part}`)
          await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
          await shoot()
        },
      },
    ]),
  ),
  role: {
    looks: ALL,
    show: async ({ page, shoot }) => {
      await signIn(page, CAST.admin)
      await page.goto('/settings/roles?role=super-moderator')
      await shoot()
    },
  },
  colleague: {
    looks: ALL,
    show: async ({ page, shoot }) => {
      await signIn(page, CAST.admin)
      await page.goto('/settings/staff')
      await page.getByRole('row', { name: 'Noor Rahman' }).click()
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
      await shoot()
    },
  },
  'settings-flags': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await keepLists(database, CAST.admin)
      await open('', CAST.admin)
      await page.goto('/settings/flags')
      const tried = page.getByRole('region', { name: 'Test some text' })
      await tried.getByRole('textbox').fill('Cheap watches, see https://bargains.example/x')
      await expect(tried).toContainText('isn’t on the allow-list')
      await tried.getByRole('textbox').blur()
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0))
      await shoot()
    },
  },
  'settings-reasons': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/settings/reasons')
      await expect(page.getByRole('list', { name: 'Rejection reasons' })).toBeVisible()
      await shoot()
    },
  },
  rules: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await expect(page.getByRole('row', { name: 'Heated words' })).toContainText('Live')
      await shoot()
    },
  },
  rule: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await page.getByRole('row', { name: 'Selling to neighbours' }).click()
      await expect(page.getByRole('region', { name: 'Record' }).locator('mark').first()).toBeVisible()
      await shoot()
    },
  },
  'rejected-by-rules': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=late-show')
      const rejected = page.getByRole('list', { name: 'Rejected by rules' })
      await expect(rejected.locator('mark')).toHaveText('w a l l e t')
      await rejected.scrollIntoViewIfNeeded()
      await shoot()
    },
  },
  queues: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      const queues = page.getByRole('list', { name: 'Queues' })
      await expect(queues).toContainText('Noor Rahman')
      await queues.scrollIntoViewIfNeeded()
      await shoot()
    },
  },
  'similar-to-rejected': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules/new?communityId=harbour-town')
      await page.getByRole('textbox', { name: 'Name' }).fill('Rejected before')
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByRole('menuitem', { name: 'Similar to rejected texts' }).click()
      const similarity = page.getByRole('spinbutton', { name: 'Similar by at least (%)' })
      await expect(similarity).toHaveValue('70')
      await similarity.evaluate((field) => field.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  'rule-tested': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open()
      await page.goto('/settings/rules/new?communityId=harbour-town')
      await page.getByRole('textbox', { name: 'Name' }).fill('Ferry and library')
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByRole('menuitem', { name: 'Words and phrases' }).click()
      await page.getByRole('textbox', { name: 'Words or phrases' }).fill('the ferry\nthe library\npicture')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('button', { name: 'Run test' }).click()
      const tested = page.getByRole('region', { name: 'Test on past decisions' })
      await expect(tested.getByRole('region', { name: 'False alarms' }).locator('mark').first()).toBeVisible()
      await tested.scrollIntoViewIfNeeded()
      await shoot()
      await database.prisma.rule.deleteMany({ where: { state: 'draft', name: 'Ferry and library' } })
    },
  },
  'rules-tested': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await page.getByRole('button', { name: 'Test rules' }).click()
      // The draft is chosen from the start.
      await tick(page.getByRole('row', { name: 'Selling to neighbours' }).getByRole('checkbox'))
      await page.getByRole('button', { name: 'Run test' }).click()
      await expect(page.getByRole('heading', { name: 'All chosen rules together' })).toBeVisible()
      await shoot()
    },
  },
  'rule-editor': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await page.getByRole('row', { name: 'Selling to neighbours' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect(page.getByRole('textbox', { name: 'Words or phrases' })).toHaveValue(/for sale/)
      await shoot()
    },
  },
  'rule-that-mutes': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=late-show')
      await page.getByRole('row', { name: 'Wallets and coins' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const mute = page.getByRole('group', { name: 'Mute the author' })
      await expect(mute.getByRole('radio', { name: '1 day' })).toBeChecked()
      await mute.evaluate((group) => group.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  'rule-at-item': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'Oilskins')}`)
      await expect(page.getByRole('article').getByText('Highlighted by')).toBeVisible()
      await shoot()
    },
  },
  urgent: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?order=urgent&item=${await itemOf(database, 'Oilskins')}`)
      await expect(page.getByRole('heading', { name: 'Why first' })).toBeAttached()
      await shoot()
    },
  },
  wave: {
    looks: BOTH_WIDTHS,
    show: async (scene) => {
      await openTenPlaces(scene)
      await scene.shoot()
    },
  },
  'wave-bans': {
    looks: BOTH_WIDTHS,
    show: async (scene) => {
      const { page, shoot } = scene
      await openTenPlaces(scene)
      await page.keyboard.press('r')
      const dialog = page.getByRole('dialog', { name: 'Reject 6' })
      await tick(dialog.getByRole('checkbox', { name: 'Also ban the 6 accounts that wrote them' }))
      await dialog.getByRole('radio', { name: '1 week' }).check()
      await expect(dialog.getByRole('button', { name: 'Reject 6 and ban 6' })).toBeVisible()
      await dialog.getByRole('group', { name: 'Where' }).evaluate((group) => group.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  calibration: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/insights?communityId=harbour-town')
      const title = page.getByRole('heading', { name: 'Scores and decisions' })
      await expect(title).toBeVisible()
      await title.evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
      await shoot()
    },
  },
  'settings-classifiers': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await keepClassifiers(database)
      await open('', CAST.admin)
      await page.goto('/settings/classifiers')
      await expect(page.getByText('Circuit breaker open').first()).toBeVisible()
      await shoot()
    },
  },
  'settings-webhooks': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks')
      await expect(page.getByText('nothing was delivered for five days')).toBeVisible()
      await shoot()
    },
  },
  'webhook-deliveries': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks/deliveries')
      await expect(page.getByRole('row').filter({ hasText: 'Failed' })).toBeVisible()
      await shoot()
    },
  },
  'webhook-delivery': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks/deliveries')
      await page.getByRole('row').filter({ hasText: 'Failed' }).click()
      await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('Response 503')
      await shoot()
    },
  },
  'sign-in': {
    looks: ALL,
    show: async ({ page, shoot }) => {
      await page.goto('/sign-in')
      await shoot()
    },
  },
  insights: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/insights')
      await expect(page.getByRole('img', { name: /Time to decision per day/ })).toBeVisible()
      await shoot()
    },
  },
  audit: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      // All others would be the sign-ins for these pictures.
      await page.goto('/audit?communityId=harbour-town')
      await expect(page.getByText('Chain verified up to')).toBeVisible()
      await shoot()
    },
  },
  'audit-entry': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/audit?action=decided')
      await page.getByRole('row').nth(1).click()
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'Changes' })).toBeVisible()
      await shoot()
    },
  },
  targets: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/settings/targets')
      await expect(page.getByRole('heading', { name: 'Set a target' })).toBeVisible()
      await shoot()
    },
  },
}

for (const [name, { looks, show }] of Object.entries(SCREENS)) {
  for (const look of looks) {
    test(`${name} at ${look}`, async ({ page, browser, deskDatabase }) => {
      const [width = '', theme = ''] = look.split('-')
      await page.setViewportSize({ width: Number(width), height: width === '320' ? 700 : 900 })
      await page.context().addCookies([{ name: 'docket_theme', value: theme, url: DESK }])
      // The person of the last screenshot is no longer viewing the item.
      await deskDatabase.prisma.lease.deleteMany()
      await show({
        page,
        browser,
        database: deskDatabase,
        open: async (search = '', as = CAST.moderator) => {
          await signIn(page, as)
          await page.goto(`/queue${search}`)
          await page.evaluate(() => document.fonts.ready)
        },
        shoot: async () => {
          await page.screenshot({
            animations: 'disabled',
            ...(await aroundDialog(page)),
            path: fileURLToPath(new URL(`${name}-${look}.png`, PICTURES)),
          })
        },
      })
    })
  }
}

test('the gallery names them all, and there are no others', async () => {
  const pictures = Object.entries(SCREENS).map(
    ([name, { looks }]) =>
      `## ${name.replaceAll('-', ' ')}\n\n${looks.map((look) => imageOf(name, look)).join('\n')}\n`,
  )
  const gallery = [GALLERY, ...pictures].join('\n')
  await writeFile(new URL('README.md', PICTURES), gallery)
  for (const file of await readdir(PICTURES)) {
    if (file.endsWith('.png') && !gallery.includes(`"${file}"`)) await rm(new URL(file, PICTURES))
  }
})

const GALLERY = `# The desk in pictures

Made from the sample by \`npm run screens\`: on a desk and on a phone, light and dark.
`

function imageOf(name: string, look: Look): string {
  const width = look.startsWith('320') ? 200 : 720
  return `<img src="${name}-${look}.png" width="${width}" alt="${name.replaceAll('-', ' ')}, ${look.replace('-', ' px, ')}">`
}

/** Enough of the page around it to recognise a dialog. */
const MARGIN_PX = 40

async function aroundDialog(page: Page): Promise<{ clip?: { x: number; y: number; width: number; height: number } }> {
  const { width: pageWidth = 0, height: pageHeight = 0 } = page.viewportSize() ?? {}
  const box = await page
    .locator('[data-rac]:has(> [role=dialog])')
    .first()
    .boundingBox({ timeout: 500 })
    .catch(() => null)
  if (!box || box.width + 2 * MARGIN_PX > pageWidth) return {}
  const [x, y] = [Math.max(0, box.x - MARGIN_PX), Math.max(0, box.y - MARGIN_PX)]
  const width = Math.min(pageWidth, box.x + box.width + MARGIN_PX) - x
  return { clip: { x, y, width, height: Math.min(pageHeight, box.y + box.height + MARGIN_PX) - y } }
}

async function signIn(page: Page, { email, password }: Account): Promise<void> {
  const answer = await page.request.post(`${DESK}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: DESK },
  })
  expect(answer.ok()).toBe(true)
}

async function speak(page: Page, language: 'de' | 'ar'): Promise<void> {
  await page.context().addCookies([{ name: 'docket_language', value: language, url: DESK }])
}

async function prefer(page: Page, changed: object): Promise<void> {
  const answer = await page.request.post('/api/trpc/preferences.change', { data: changed, headers: { origin: DESK } })
  expect(answer.ok()).toBe(true)
}

async function chooseSix(page: Page): Promise<void> {
  await page.getByRole('option').nth(1).focus()
  await page.keyboard.press('x')
  for (let more = 1; more < 6; more += 1) await page.keyboard.press('Shift+J')
  await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('6 selected')
}

async function undo(page: Page): Promise<void> {
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText(/^Undone/)
}

async function chooseOldestFirst(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Newest held first' }).click()
  await page.getByRole('menuitemradio', { name: 'Oldest held first' }).click()
}

async function openTenPlaces({ page, database, open }: Scene): Promise<void> {
  await open(`?item=${await itemOf(database, 'Only ten places')}`)
  await expect(await openWave(page)).toContainText('6 items can be decided together')
}
