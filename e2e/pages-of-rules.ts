import type { Page } from '@playwright/test'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { rejectedByRule } from '#server/testing/rejected-by-rule.ts'
import { chooseRow, openWaveByKey } from './desk-pages.ts'
import { type Desk, expect } from './fixtures.ts'

/** Makes the rule of the page live, after its test. */
export async function makeLive(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click()
}

const LETTERS = 'abdefghijklmnoprstuvwz'

export interface RulesScene {
  ruleId: string
  /** Who wrote what the live rule holds, and is muted by it. */
  author: string
  /** What a rule of the network rejected. */
  messageId: string
}

/** Decisions, scores, a live rule and a draft, an item that the rule holds, and a wave. */
export async function sceneOfRules(desk: Desk): Promise<RulesScene> {
  const { database, community, held } = desk
  const { communityId } = community
  const make = factoriesOf(database)
  const [first, second] = held.map(({ commentId }) => commentId)
  const signals = [
    { type: 'comment', id: first, name: 'toxicity', score: 0.93 },
    { type: 'comment', id: second, name: 'toxicity', score: 0.12 },
  ]
  await recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
  await desk.decideElsewhere(first ?? '', 'rejected')
  await desk.decideElsewhere(second ?? '', 'approved')

  const reviewer = ctxOf(database, await make.reviewerOf(communityId))
  const words = { kind: 'words', words: ['harbour', 'a rather long phrase that somebody looks for'] }
  const rule = (name: string, condition: unknown, action: object = { type: 'hold' }) =>
    createRule(reviewer, NewRule.parse({ communityId, name, kinds: ['comment'], condition, action }))
  const live = await rule(
    'Links and words of the harbour',
    { kind: 'any', conditions: [{ kind: 'links' }, words] },
    { type: 'hold', muteMinutes: 24 * 60, label: 'Ask the harbour master' },
  )
  await setRuleState(reviewer, { ...live, state: 'live' })
  await rule('Another rule', words)

  const displayName = `Writer ${crypto.randomUUID().slice(0, 8)}`
  const { userId } = await make.user({ displayName })
  await make.member({ communityId, userId })
  const data = { text: 'See https://harbour.example/a before the harbour closes' }
  const comment = { referenceType: 'post', referenceId: held[0]?.postId, data }
  await createComment(ctxOf(database, asUser(userId), { source: 'rest' }), NewComment.parse(comment))

  // An admin reviews the communities of other tests too: their texts must not be near.
  const word = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => LETTERS[byte % LETTERS.length]).join('')
  const wave = `Cheap watches ${Array.from({ length: 9 }, word).join(' ')} code`
  const letters = ['aa', 'bb', 'cc', 'dd', 'ee']
  for (const code of letters)
    await make.heldComment({ communityId, data: { text: `${wave} ${code}z` }, queuedAt: new Date() })

  await rejectedByRule(database, { commentId: held[2]?.commentId ?? '', communityId })
  const channels = channelFactoriesOf(database)
  const { channelId } = await channels.channel()
  const { messageId } = await channels.message({ channelId })
  await rejectedByRule(database, { messageId })

  return { ruleId: live.ruleId, author: displayName, messageId }
}

type Open = (page: Page, desk: Desk, scene: RulesScene) => Promise<void>

const queueOf = ({ url, community: { communityId } }: Desk, more = '') =>
  `${url}/queue?communityId=${communityId}${more}`

async function openCheapWatches(page: Page, desk: Desk): Promise<void> {
  await page.goto(queueOf(desk))
  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  await expect(page.getByRole('article')).toContainText('Cheap watches')
  await openWaveByKey(page)
}

/** The pages about rules, classifiers and waves, each with what there is to read. */
export const PAGES_OF_RULES: Record<string, Open> = {
  rules: async (page, { url, community }) => {
    await page.goto(`${url}/settings/rules?communityId=${community.communityId}`)
    await expect(page.getByRole('row', { name: 'Another rule' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Rejected by rules' })).toBeVisible()
  },
  'test of several rules': async (page, { url, community }) => {
    await page.goto(`${url}/settings/rules?communityId=${community.communityId}`)
    await page.getByRole('button', { name: 'Test rules' }).click()
    await page.getByRole('button', { name: 'Run test' }).click()
    await expect(page.getByText('2 of 2 decided items')).toBeVisible()
  },
  'a rule and its backtest': async (page, { url }, { ruleId }) => {
    await page.goto(`${url}/settings/rules/${ruleId}`)
    await page.getByRole('button', { name: 'Run test' }).click()
    await expect(page.getByText('2 of 2 decided items')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Latest items' })).toBeVisible()
  },
  'the editor of a rule': async (page, { url }, { ruleId }) => {
    await page.goto(`${url}/settings/rules/${ruleId}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    for (const condition of ['Language', 'Signal']) {
      await page.getByRole('button', { name: 'Add condition' }).first().click()
      await page.getByRole('menuitem', { name: condition, exact: true }).click()
    }
    await expect(page.getByRole('group', { name: 'Languages' }).first()).toBeVisible()
  },
  'scores and decisions': async (page, { url, community }) => {
    await page.goto(`${url}/insights?communityId=${community.communityId}`)
    const table = page.getByRole('table', { name: 'toxicity' })
    await table.scrollIntoViewIfNeeded()
    await expect(table).toBeVisible()
  },
  'a new classifier': async (page, { url }) => {
    await page.goto(`${url}/settings/classifiers`)
    await page.getByRole('button', { name: 'Add classifier' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'an item that a rule holds': async (page, desk, { author }) => {
    await page.goto(queueOf(desk))
    await page.getByRole('option').filter({ hasText: author }).click()
    await expect(page.getByRole('article')).toContainText('Links and words')
    await expect(page.getByRole('article').getByRole('button', { name: 'Unmute' })).toBeVisible()
  },
  'a message that a rule rejected': async (page, { url }, { messageId }) => {
    await page.goto(`${url}/queue?item=message:${messageId}`)
    await expect(page.getByRole('article').getByRole('button', { name: 'Restore' })).toBeVisible()
  },
  'the labels to filter by': async (page, desk) => {
    await page.goto(queueOf(desk))
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: 'Label of a rule' }).click()
    await expect(page.getByRole('option', { name: 'Ask the harbour master' })).toBeVisible()
  },
  'a muted member': async (page, { url, community }, { author }) => {
    await page.goto(`${url}/communities/${community.communityId}?filter=muted`)
    await expect(page.getByRole('row', { name: author })).toContainText('Muted')
  },
  'the mute of a member': async (page, { url, community }) => {
    await page.goto(`${url}/communities/${community.communityId}?query=Author+fourth`)
    await chooseRow(page.getByRole('row', { name: 'Author fourth' }))
    await page.getByRole('button', { name: 'Mute 1…' }).click()
    await expect(page.getByRole('dialog', { name: 'Mute Author fourth' })).toBeVisible()
  },
  'the item of a wave': async (page, desk) => {
    await page.goto(queueOf(desk))
    await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
    await expect(page.getByRole('article')).toContainText('Cheap watches')
  },
  'a wave': openCheapWatches,
  'a rejected wave with bans': async (page, desk) => {
    await openCheapWatches(page, desk)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject 5' })
    await expect(dialog.getByRole('checkbox', { name: 'Also ban' })).toBeVisible()
    await page.keyboard.press('b')
    await expect(dialog.getByRole('radio', { name: '1 hour' })).toBeFocused()
  },
}
