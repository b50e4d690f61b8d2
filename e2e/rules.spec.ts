import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Ctx } from '#server/core/ctx.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { returnToShadow } from '#server/modules/review/rule-records/return-to-shadow.ts'
import { CONDITION_LIMITS } from '#server/modules/rules/conditions/schema.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule, type Rule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { rejectedByRule } from '#server/testing/rejected-by-rule.ts'
import { expectNoFindings, windows } from './axe.ts'
import { moveToTop, publishNewComments, queriesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'
import { makeLive } from './pages-of-rules.ts'
import { listenForPointer, pointerEventsOf } from './pointer-events.ts'

test('a rule is made from an item, tested, tried, made live and overturned by keyboard alone', async ({
  page,
  desk,
}) => {
  const { communityId } = desk.community
  const [, second, third] = desk.held
  await desk.decideElsewhere(second?.commentId ?? '', 'rejected')
  await desk.decideElsewhere(third?.commentId ?? '', 'approved')
  await listenForPointer(page)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${communityId}`)
  await page.getByRole('option').first().focus()
  await expect(page.getByRole('article')).toContainText('The first comment')
  await page.keyboard.press('m')

  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('High water')
  await expect(page.getByRole('textbox', { name: 'Words or phrases' })).toHaveValue(desk.held[0]?.text ?? '')
  await press(page, 'button', 'Look for harbour')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'High water' })).toContainText('Draft')
  await expect(page.getByRole('main')).toContainText(/Contains a word or phrase: .*The first comment.*or.*harbour/)

  await press(page, 'button', 'Run test')
  const tested = page.getByRole('region', { name: 'Test on pending and decided items' })
  await expect(tested).toContainText('2 of 2 decided items')
  await expect(tested).toContainText('50% of what would be held: the precision')
  await expect(tested.getByRole('region', { name: 'False alarms' }).locator('mark')).toHaveText('harbour')

  await press(page, 'button', 'Start in shadow')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Shadow')
  await press(page, 'button', 'Make live')
  await expect(page.getByRole('dialog')).toContainText('past decisions it would have caught')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')
  const ruleUrl = page.url()

  const author = await write(desk, 'Meet at the h a r b o u r tonight')
  await page.goto(`${desk.url}/queue?communityId=${communityId}`)
  await page.getByRole('option', { name: author }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('article', { name: `Comment by ${author}` })
  await expect(item.getByRole('definition').filter({ hasText: 'Rule: High water' })).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('status')).toContainText(`Approved: ${author}`)

  await page.goto(ruleUrl)
  const record = page.getByRole('region', { name: 'Record' })
  await expect(record).toContainText('Held while live1')
  await expect(record).toContainText('0 rejected, 1 approved, 0 undecided')
  await expect(record.getByRole('listitem')).toContainText('Meet at the h a r b o u r tonight')
  await expect(record.locator('mark')).toHaveText('h a r b o u r')
  expect(await pointerEventsOf(page)).toEqual([])
})

test('a rule of the network is made live after its test or with an explicit tick, and is listed where it applies', async ({
  page,
  desk,
}) => {
  const word = `w${crypto.randomUUID().replaceAll('-', '')}`
  await write(desk, `Meet at ${word}`)
  const admin = ctxOf(desk.database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const condition = { kind: 'words', words: [word] }
  const rule = await createRule(
    admin,
    NewRule.parse({ communityId: null, name: `No ${word}`, kinds: ['comment'], condition, action: { type: 'hold' } }),
  )
  const stateOf = async () => (await desk.database.prisma.rule.findUnique({ where: { ruleId: rule.ruleId } }))?.state
  await desk.signIn(page, 'admin')
  await page.route(queriesOf('rules.backtest'), (route) => route.abort())
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await page.getByRole('button', { name: 'Make live' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make the rule live' })
  await expect(dialog).toContainText('It couldn’t be tested.')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('It isn’t tested.')
  expect(await stateOf()).toBe('draft')
  await dialog.getByRole('checkbox', { name: 'Make it live without this test' }).check()
  await dialog.getByRole('button', { name: 'Make live' }).click()
  await expect.poll(stateOf, { message: 'waited until it is live' }).toBe('live')

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Back to shadow' }).click()
  await expect.poll(stateOf, { message: 'waited until it is in shadow' }).toBe('shadow')
  await page.getByRole('button', { name: 'Make live' }).click()
  await expect(dialog).toContainText(/of the network: Of [\d,]+ pending items it would catch 1\./)
  await expect(dialog.getByRole('checkbox')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect.poll(stateOf, { message: 'waited until it is live again' }).toBe('live')

  const { displayName } = desk.community
  const ofCommunity = await ruleOf(desk, { name: `Links, ${word}` })
  const quiet = `Quiet ${word}`
  const { communityId: withoutRules } = await factoriesOf(desk.database).community({ displayName: quiet })
  await page.goto(`${desk.url}/settings/rules?communityId=${withoutRules}`)
  const applying = page.getByRole('list', { name: 'Rules of the whole network that apply here too' })
  await expect(applying.getByRole('link', { name: `No ${word}` })).toBeVisible()
  await expect(page.getByText('There are rules elsewhere:')).toContainText(/the whole network \(\d+\)/)
  await page.getByRole('button', { name: quiet }).click()
  await page.getByRole('menuitemradio', { name: displayName }).click()
  await expect(applying.getByRole('link', { name: `No ${word}` })).toBeVisible()
  await page.getByRole('row', { name: ofCommunity.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: ofCommunity.name })).toBeVisible()
  await expect(page.getByText(`For ${displayName}.`)).toBeVisible()
})

test('a moderator of another community neither sees nor changes a rule, and support has no rules', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const other = await factoriesOf(desk.database).community()
  const rule = await ruleOf(desk, { communityId: other.communityId })
  for (const role of ['moderator', 'support'] as const) {
    await desk.signIn(page, role)
    await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    const answer = await page.request.post(`${desk.url}/api/trpc/rules.setState`, {
      data: { ruleId: rule.ruleId, revision: rule.revision, state: 'live' },
      headers: { origin: desk.url },
    })
    expect(answer.status()).toBe(404)
  }
  expect((await page.goto(`${desk.url}/settings/rules`))?.status()).toBe(404)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/new?communityId=${other.communityId}`)
  await expect(page.getByRole('heading', { name: 'You can’t manage rules here' })).toBeVisible()
})

test('errors are at the condition they are about, and what was written is kept', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/communities/${desk.community.communityId}`)
  await page.getByRole('link', { name: 'Rules' }).click()
  await expect(page.getByRole('heading', { name: 'No rules of its own yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Spam')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Add at least one condition.' })).toBeVisible()

  await add(page, 'Linked domains')
  const domains = page.getByRole('textbox', { name: 'Domains, one per line' })
  await expect(domains).toBeFocused()
  await domains.fill('example.com\nnot a domain')
  await add(page, 'Pattern')
  const pattern = page.getByRole('textbox', { name: 'Regular expression' })
  await pattern.fill('(')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('group', { name: 'Linked domains' })).toContainText('“not a domain” isn’t a domain')
  await expect(domains).toBeFocused()
  await domains.fill('example.com')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('group', { name: 'Pattern' })).toContainText('The brackets don’t match')
  await expect(pattern).toHaveAttribute('aria-invalid', 'true')

  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Spam')
  await page.getByRole('button', { name: 'Remove Pattern' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Spam' })).toBeVisible()
})

test('says in the language of the desk why a rule can’t be saved or started', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const pattern = (letter: string) => ({ kind: 'pattern', pattern: letter.repeat(90) })
  const rule = await ruleOf(desk, { condition: { kind: 'any', conditions: [pattern('x'), pattern('y')] } })
  await desk.signIn(page, 'moderator')
  await page.context().addCookies([{ name: 'docket_language', value: 'de', url: desk.url }])
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await page.getByRole('button', { name: 'Bearbeiten' }).click()
  const problem = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
  for (const [written, text] of [
    ['z'.repeat(150), 'Die Muster dieser Regel sind zusammen zu groß.'],
    ['(x{50}){9}', 'Dieses Muster ist zu groß.'],
    ['a*', 'Dieses Muster passt auch auf leeren Text.'],
    ['(?=a)', /RE2 kann „.?\(\?=.?“ nicht lesen\./],
  ] as const) {
    await page.getByRole('textbox', { name: 'Regulärer Ausdruck' }).first().fill(written)
    await page.keyboard.press('Control+Enter')
    await expect(problem(text)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Abbrechen' }).click()

  const words = (of: number) => Array.from({ length: CONDITION_LIMITS.words }, (_, index) => `word${of} ${index}`)
  const [draft, ...running] = await Promise.all(
    [0, 1, 2].map((of) => ruleOf(desk, { condition: { kind: 'words', words: words(of) } })),
  )
  const reviewer = await reviewerOf(desk)
  for (const one of running) await setRuleState(reviewer, { ...one, state: 'live' })
  await page.goto(`${desk.url}/settings/rules/${draft?.ruleId}`)
  await page.getByRole('button', { name: 'Probebetrieb starten' }).click()
  await expect(page.getByRole('main')).toContainText('alle laufenden Regeln eines Bereichs zusammen doppelt so viele')
})

test('the focus goes on to the button that adds when a condition or a choice is removed', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const languages = { kind: 'language', languages: ['de', 'en'] }
  const rule = await ruleOf(desk, { condition: { kind: 'any', conditions: [{ kind: 'links' }, languages] } })
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await press(page, 'button', 'Edit')
  await press(page, 'button', 'Remove English')
  await expect(page.getByRole('group', { name: 'Languages' }).getByRole('button', { name: 'Add' })).toBeFocused()
  await press(page, 'button', 'Remove Number of links')
  await expect(page.getByRole('button', { name: 'Add condition' })).toBeFocused()
  await press(page, 'button', 'Add group')
  await press(page, 'button', 'Remove Group')
  await expect(page.getByRole('button', { name: 'Add condition' })).toBeFocused()
})

test('of two who edit a rule, the second learns of it and loses nothing', async ({ page, desk }) => {
  const rule = await ruleOf(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
  const reviewer = await reviewerOf(desk)
  const theirs = await changeRule(reviewer, { ...rule, name: 'Theirs' })
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Somebody changed this rule while you were editing it.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine')
  expect(await nameOf(desk, rule)).toBe('Theirs')

  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible()
  expect(await nameOf(desk, rule)).toBe('Mine')
  expect(theirs.revision).toBe(rule.revision + 1)
})

test('a live rule is paused, undone, reordered and archived', { tag: '@stress' }, async ({ page, desk }) => {
  const rule = await ruleOf(desk)
  await ruleOf(desk, { name: 'Second rule' })
  await setRuleState(await reviewerOf(desk), { ...rule, state: 'live' })
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('region', { name: 'State' })).toContainText(`Paused by ${name}`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('region', { name: 'State' })).toContainText('the rule holds what meets its conditions')

  await page.getByRole('link', { name: 'All rules' }).click()
  const table = page.getByRole('grid', { name: 'Rules' })
  await expect(table.getByRole('rowheader')).toHaveText(['Links', 'Second rule'])
  await page.getByRole('button', { name: 'Change order' }).click()
  await moveToTop(page, 'Second rule')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(table.getByRole('rowheader')).toHaveText(['Second rule', 'Links'])

  await table.getByRole('row', { name: 'Links' }).click()
  await page.getByRole('button', { name: 'Archive…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The rule stops for good.')
  await expect(dialog.locator(':focus')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(table.getByRole('rowheader')).toHaveText(['Second rule'])
})

test('what a rule rejects is in its record, says so, and is restored by one press and undone', async ({
  page,
  desk,
}) => {
  const rule = await ruleOf(desk, { condition: { kind: 'words', words: ['harbour'] }, action: { type: 'reject' } })
  await setRuleState(await reviewerOf(desk), { ...rule, state: 'live' })
  const author = await write(desk, 'Meet at the harbour tonight')
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await expect(page.getByRole('region', { name: 'State' })).toContainText('Reviewers can restore it.')
  await expect(page.getByRole('region', { name: 'Conditions' })).toContainText(
    'Rejects comments that meet this condition',
  )
  const record = page.getByRole('region', { name: 'Record' })
  await expect(record).toContainText('Rejected while live1')
  await expect(record).toContainText('0 restored, 1 not')
  await expect(record.getByRole('listitem')).toContainText('Not restored')

  await record.getByRole('link', { name: 'Open in queue' }).click()
  const item = page.getByRole('article', { name: `Comment by ${author}` })
  await expect(item).toContainText('Rejected by Links')
  await expect(item.locator('mark')).toHaveText('harbour')
  await expect(item).not.toContainText('Rejections are final.')
  await item.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(page.getByRole('status')).toContainText(`Approved: ${author}`)
  await expect(item).toContainText(/approved this/)
  await page.keyboard.press('u')
  await expect(item).toContainText('Rejected by Links')
  await expect(page.getByRole('status')).toHaveText(`Undone: ${author}`)
  await item.getByRole('button', { name: 'Restore' }).click()
  await expect(item).toContainText(/approved this/)
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await expect(record).toContainText('1 restored, 0 not')

  await write(desk, 'Meet at the harbour tomorrow')
  await page.goto(`${desk.url}/settings/rules?communityId=${desk.community.communityId}`)
  const rejected = page.getByRole('list', { name: 'Rejected by rules' }).getByRole('listitem')
  await expect(rejected).toHaveCount(2)
  await expect(rejected.first()).toContainText('Not restored')
  await expect(rejected.first().locator('mark')).toHaveText('harbour')
  await expect(rejected.nth(1)).toContainText('Approved')
  await rejected.first().getByRole('link', { name: 'Links' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Links')
})

test('a message that a rule rejected is restored and undone, and a screen reader hears which', async ({
  page,
  desk,
}) => {
  const channels = channelFactoriesOf(desk.database)
  const { channelId } = await channels.channel()
  const { messageId } = await channels.message({ channelId, data: { text: 'See https://harbour.example' } })
  await rejectedByRule(desk.database, { messageId })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/queue?item=message:${messageId}`)
  const item = page.getByRole('article', { name: 'Message from' })
  await expect(item).toContainText('Rejected by Links')
  await expect(item.getByRole('region', { name: 'The message in its conversation' })).toBeVisible()
  await item.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(item).toContainText('approved this')
  await expect(item).not.toContainText('Reported')
  await page.keyboard.press('u')
  await expect(item).toContainText('Rejected by Links')
  await expect(page.getByRole('status')).toHaveText(/^Undone: /)
  const { isDeleted } = await desk.database.prisma.message.findUniqueOrThrow({ where: { messageId } })
  expect(isDeleted).toBe(true)
})

test('a rule that holds also mutes the author, as its item says, until somebody ends the mute there', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId } = desk.community
  await publishNewComments(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/new?communityId=${communityId}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Floods')
  await page.getByRole('group', { name: 'Mute the author' }).getByRole('radio', { name: '1 week' }).check()
  await add(page, 'Words and phrases')
  await page.getByRole('textbox', { name: 'Words or phrases' }).fill('harbour')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await makeLive(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')
  await expect(page.getByRole('region', { name: 'Conditions' })).toContainText(
    'Mutes the author in the community for 1 week',
  )

  const author = await write(desk, 'Meet at the harbour tonight')
  await page.goto(`${desk.url}/queue`)
  const item = page.getByRole('article', { name: `Comment by ${author}` })
  await expect(item).toContainText('by Floods')
  const sanctions = page.getByRole('complementary').getByRole('definition').filter({ hasText: 'Muted in' })
  await expect(sanctions).toContainText('By Floods')
  await expect(page.getByRole('button', { name: 'Unmute' })).toHaveCount(1)
  const muted = () =>
    desk.database.prisma.communityUser.findFirst({ where: { communityId, muteTimeout: { not: null } } })
  const before = await muted()
  await item.getByRole('button', { name: 'Unmute' }).press('Enter')
  await expect(page.getByRole('status')).toContainText('Unmuted')
  await expect(item.getByRole('button', { name: 'Unmute' })).toHaveCount(0)
  await expect(sanctions).toHaveCount(0)
  await expect(page.getByRole('heading', { name: `Comment by ${author}` })).toBeFocused()
  expect(await muted()).toBeNull()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText(/^Undone/)
  await expect(sanctions).toBeVisible()
  // But for the moments that the server takes.
  expect(Number((await muted())?.muteTimeout)).toBeCloseTo(Number(before?.muteTimeout), -5)
})

test('what a rule reports is under Reported with the rule as its reason, and is dismissed there', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId } = desk.community
  await publishNewComments(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/new?communityId=${communityId}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbours')
  await page.getByRole('radio', { name: 'Report' }).check()
  await add(page, 'Words and phrases')
  await page.getByRole('textbox', { name: 'Words or phrases' }).fill('harbour')
  await expect(page.getByRole('group', { name: 'Severity' })).toBeHidden()
  await page.getByRole('textbox', { name: 'Label' }).fill('Ask the harbour master')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await makeLive(page)
  await expect(page.getByRole('region', { name: 'State' })).toContainText(
    'It stays public until someone reviews the report.',
  )
  const ruleUrl = page.url()
  const author = await write(desk, 'Meet at the harbour tonight')

  await page.reload()
  const record = page.getByRole('region', { name: 'Record' })
  await expect(record).toContainText('Reported while live1')
  await record.getByRole('link', { name: 'Open in queue' }).click()
  const item = page.getByRole('article', { name: `Comment by ${author}` })
  await expect(item.getByRole('definition').filter({ hasText: 'Harbours' })).toBeVisible()
  await expect(item.locator('mark')).toHaveText('harbour')
  await expect(item).toContainText('Ask the harbour master')
  await expect(page.getByRole('complementary').getByText('Harbours, version 1')).toBeVisible()
  await item.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(page.getByRole('status').filter({ hasText: author })).toBeAttached()
  await page.goto(ruleUrl)
  await expect(record).toContainText('0 deleted, 1 dismissed, 0 undecided')
})

test('a rule that went back to shadow says why, and its limit can be changed', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const rule = await ruleOf(desk)
  const live = await setRuleState(await reviewerOf(desk), { ...rule, state: 'live' })
  for (let index = 0; index < 20; index++) await hold(desk, live, 'approved')
  await returnToShadow(systemCtx(desk.database), undefined)

  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Shadow: often overturned')
  const state = page.getByRole('region', { name: 'State' })
  await expect(state).toContainText('people approved 20 of the latest 20 decided items it held')
  await page.getByRole('button', { name: 'Edit' }).click()
  const limit = page.getByRole('spinbutton', { name: 'Back to shadow' })
  await expect(limit).toHaveValue('50')
  await limit.fill('12.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeAttached()
  await makeLive(page)
  await expect(state).toContainText('if people approve more than 12.5% of the latest 50')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')
})

test('a rule looks for texts like rejected ones and for repeated links, and says so in a sentence', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/new?communityId=${desk.community.communityId}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Again')
  await add(page, 'Similar to rejected texts')
  const likeness = page.getByRole('spinbutton', { name: 'Similar by at least (%)' })
  await expect(likeness).toBeFocused()
  await likeness.fill('85')
  await page.getByRole('spinbutton', { name: 'Number of texts, at least' }).fill('2')
  await add(page, 'Rate: author or link')
  await page.getByRole('button', { name: 'What is counted' }).click()
  await page.getByRole('menuitemradio', { name: 'Links to the same domain' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  const main = page.getByRole('main')
  await expect(main).toContainText('Similar by at least 85% to at least 2 texts that were rejected in the last 30 days')
  await expect(main).toContainText('A domain it links to is in more than 5 items in 10 minutes')
  await makeLive(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')
})

test('a rule on a classifier’s score brings a public comment into the queue, which says score and rule', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/new?communityId=${desk.community.communityId}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Rude')
  await add(page, 'Signal')
  await expect(page.getByRole('combobox', { name: 'Name of the signal' })).toBeFocused()
  await page.keyboard.type('toxicity')
  await page.getByRole('spinbutton', { name: 'At least' }).fill('0.85')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('main')).toContainText(/Signal .?toxicity.? at least 0\.85/)
  await makeLive(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')

  const { prisma } = desk.database
  await publishNewComments(desk)
  const author = await write(desk, 'What a rude thing to say')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.getByRole('option', { name: author })).toBeHidden()
  const { userId } = await prisma.user.findFirstOrThrow({ where: { displayName: author } })
  const { commentId } = await prisma.comment.findFirstOrThrow({ where: { userId } })
  const signals = [{ type: 'comment', id: commentId, name: 'toxicity', score: 0.91 }]
  await recordSignals(ctxOf(desk.database, asAdmin()), NewSignals.parse({ signals }))

  await page.getByRole('button', { name: /new$/ }).click()
  await page.getByRole('option', { name: author }).click()
  const item = page.getByRole('article', { name: `Comment by ${author}` })
  await expect(item.getByRole('definition').filter({ hasText: 'Rule: Rude' })).toBeVisible()
  await expect(item.getByRole('definition').filter({ hasText: 'toxicity 0.91' })).toBeVisible()

  await page.goto(`${desk.url}/settings/rules/new?communityId=${desk.community.communityId}`)
  await add(page, 'Signal')
  const list = await page.getByRole('combobox', { name: 'Name of the signal' }).getAttribute('list')
  await expect(page.locator(`[id="${list}"] option`)).toHaveAttribute('value', 'toxicity')
})

test('words of a file are watched: highlighted in the queue, counted, and saved as a file again', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules?communityId=${desk.community.communityId}`)
  await page.getByRole('button', { name: 'Watch words' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Places')
  const words = page.getByRole('textbox', { name: 'Words or phrases' })
  await words.fill('ferry')
  const upload = (name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await upload('empty.csv', '\n')
  await expect(page.getByRole('alert').filter({ hasText: 'Found no words in empty.csv' })).toBeVisible()
  await upload('places.csv', 'word,hits\r\nharbour,3\r\n"Ferry",1\r\n')
  await expect(words).toHaveValue('ferry\nharbour')
  await expect(page.getByRole('status')).toContainText('1 word added.')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('words.csv')
  expect(await readFile(await file.path(), 'utf8')).toBe('\uFEFFword\r\n"ferry"\r\n"harbour"\r\n')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('main')).toContainText(/Highlights comments and posts that meet this condition:/)
  await page.getByRole('button', { name: 'Make live' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Live')
  await expect(page.getByRole('region', { name: 'State' })).toContainText('holds nothing')
  const ruleUrl = page.url()

  const author = await write(desk, 'Meet at the harbour')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await page.getByRole('option', { name: author }).click()
  const item = page.getByRole('article', { name: `Comment by ${author}` })
  await expect(item.getByRole('definition').filter({ hasText: 'Places' })).toBeVisible()
  await expect(item.locator('mark')).toHaveText('harbour')
  await expect(item.getByText('Highlighted by')).toBeVisible()

  await page.goto(ruleUrl)
  await expect(page.getByRole('region', { name: 'Record' })).toContainText('Highlighted while live1')
})

test('several rules are tested at once, and each shows what it would have held', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  for (const [index, outcome] of (['rejected', 'approved', 'rejected'] as const).entries())
    await desk.decideElsewhere(desk.held[index]?.commentId ?? '', outcome)
  const onWords = (name: string, words: string[]) => ruleOf(desk, { name, condition: { kind: 'words', words } })
  const first = await onWords('First', ['first', 'second'])
  await onWords('Third', ['third'])
  const live = await onWords('Live', ['comment'])
  await setRuleState(await reviewerOf(desk), { ...live, state: 'live' })
  await ruleOf(desk, { name: 'Watched', action: { type: 'highlight' } })
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules?communityId=${desk.community.communityId}`)
  await page.getByRole('button', { name: 'Test rules' }).press('Enter')

  const tested = page.getByRole('region', { name: 'Test on pending and decided items' })
  const row = (name: string) => tested.getByRole('row', { name: `${name}` })
  await expect(tested.getByRole('rowheader')).toHaveText(['First', 'Third', 'Live'])
  await expect(tested).toContainText('2 rules chosen')
  await tested.getByRole('checkbox', { name: 'Live' }).press('Space')
  await expect(tested).toContainText('3 rules chosen')
  await tested.getByRole('button', { name: 'Choose all in draft and shadow' }).press('Enter')
  await tested.getByRole('button', { name: 'Run test' }).press('Enter')
  await expect(row('First').getByRole('gridcell')).toHaveText(['', 'Draft', /^2/, '1 (50%)', '1 (50%)', '50%', /ms$/])
  await expect(row('Third').getByRole('gridcell')).toHaveText(['', 'Draft', /^1/, '1 (100%)', '0 (0%)', '50%', /ms$/])
  await expect(row('Live').getByRole('gridcell')).toHaveText(['', 'Live', '', '', '', '', ''])
  await expect(tested).toContainText('3 of 3 decided items')
  await expect(tested).toContainText('66.7% of what would be found: the precision')
  await row('First').getByRole('link').press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'First' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(`/settings/rules/${first.ruleId}`)
})

test('a live rule is applied to pending items after a question, and leads to what it finds', async ({ page, desk }) => {
  const rule = await ruleOf(desk, { condition: { kind: 'words', words: ['comment'] } })
  await setRuleState(await reviewerOf(desk), { ...rule, state: 'live' })
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  const tested = page.getByRole('region', { name: 'Test on pending and decided items' })
  await tested.getByRole('button', { name: 'Run test' }).press('Enter')
  await tested.getByRole('button', { name: 'Apply to pending items' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Apply to pending items?' })
  await expect(question).toContainText(`the ${desk.held.length} items that the test found`)
  await question.getByRole('button', { name: 'Apply to pending items' }).press('Enter')
  await expect(question).toBeHidden()
  const queue = tested.getByRole('link', { name: 'Show those with this rule as a reason' })
  await expect(queue).toHaveAttribute('href', new RegExp(rule.ruleId))
})

test('a cancelled test asks for no further batch, and keeps what it counted', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  for (const { commentId } of desk.held.slice(0, 3)) await desk.decideElsewhere(commentId, 'rejected')
  const rule = await ruleOf(desk, { condition: { kind: 'words', words: ['comment'] } })
  let asked = 0
  let holdsBack = true
  const secondAsked = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  await page.route(queriesOf('rules.backtest'), async (route) => {
    asked += 1
    if (asked === 2) secondAsked.resolve()
    if (asked > 1 && holdsBack) await cancelled.promise
    // One item a batch.
    await route
      .continue({
        url: route
          .request()
          .url()
          .replace(/(limit%22%3A)\d+/, '$11'),
      })
      .catch(() => {})
  })
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
  const tested = page.getByRole('region', { name: 'Test on pending and decided items' })
  await tested.getByRole('button', { name: 'Run test' }).click()
  await secondAsked.promise
  await expect(tested.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '1 of 8 items')
  await tested.getByRole('button', { name: 'Cancel' }).click()
  await expect(tested).toContainText('Cancelled. These figures cover some of the items only.')
  await expect(tested).toContainText('1 of 1 pending items')
  await expect(tested.getByRole('progressbar')).toBeHidden()
  holdsBack = false
  cancelled.resolve()

  await tested.getByRole('button', { name: 'Run again' }).click()
  await expect(tested).toContainText('3 of 3 decided items')
  // One before Cancel, the one that it stopped, and those of the second run: the last of eight batches is full, so an empty one ends it.
  expect(asked).toBe(2 + 9)
})

for (const size of windows(320)) {
  test(`rules have no axe findings at ${size.width} × ${size.height} and fit the width`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize(size)
    const [first] = desk.held
    await desk.decideElsewhere(first?.commentId ?? '', 'rejected')
    const condition = { kind: 'any', conditions: [{ kind: 'links' }, { kind: 'words', words: ['harbour'] }] }
    const rule = await ruleOf(desk, { condition })
    await setRuleState(await reviewerOf(desk), { ...rule, state: 'shadow' })
    await ruleOf(desk, { name: 'Another rule' })
    await write(desk, 'See https://harbour.example/a')
    await desk.signIn(page, 'moderator')
    await page.goto(`${desk.url}/settings/rules?communityId=${desk.community.communityId}`)
    await expect(page.getByRole('row', { name: 'Links' }).first()).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Test rules' }).click()
    await page.getByRole('button', { name: 'Run test' }).click()
    await expect(page.getByText('1 of 1 decided items')).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${desk.url}/settings/rules/${rule.ruleId}`)
    await page.getByRole('button', { name: 'Run test' }).click()
    await expect(page.getByText('1 of 1 decided items')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Latest items' })).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Edit' }).click()
    await add(page, 'Language')
    await expect(page.getByRole('group', { name: 'Languages' })).toBeVisible()
    await add(page, 'Signal')
    await expectNoFindings(page)
    await page.goto(
      `${desk.url}/settings/rules/new?communityId=${desk.community.communityId}&comment=${desk.held[1]?.commentId}`,
    )
    await expect(page.getByRole('button', { name: 'Look for harbour' })).toBeVisible()
    await expectNoFindings(page)
  })
}

/** A comment that the rule held, decided. */
async function hold({ database, community: { communityId } }: Desk, rule: Rule, outcome: 'approved' | 'rejected') {
  const make = factoriesOf(database)
  const { commentId: subjectId } = await make.heldComment({ communityId })
  const { ruleId, version } = rule
  await database.prisma.ruleMatch.create({
    data: { ruleId, version, isLive: true, subjectType: 'comment', subjectId, found: [], createdAt: new Date() },
  })
  const reviewer = ctxOf(database, await make.reviewerOf(communityId), { undoWindowMs: 0 })
  await decide(reviewer, { subjectType: 'comment', subjectId, outcome })
}

/** Presses something with the keyboard. */
async function press(page: Page, role: 'button', name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

async function add(page: Page, condition: string): Promise<void> {
  await page.getByRole('button', { name: 'Add condition' }).first().click()
  await page.getByRole('menuitem', { name: condition, exact: true }).click()
}

async function reviewerOf({ database, community }: Desk): Promise<Ctx> {
  return ctxOf(database, await factoriesOf(database).reviewerOf(community.communityId))
}

/** A draft that looks for links, in the desk's community unless it says otherwise. */
async function ruleOf(desk: Desk, over: object = {}): Promise<Rule> {
  const { communityId } = { ...desk.community, ...over }
  const moderator = ctxOf(desk.database, await factoriesOf(desk.database).reviewerOf(communityId))
  const rule = { communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' }, ...over }
  return createRule(moderator, NewRule.parse(rule))
}

/** Writes a comment as a member, and says by whom. */
async function write(desk: Desk, text: string): Promise<string> {
  const make = factoriesOf(desk.database)
  const { communityId } = desk.community
  const displayName = `Writer ${crypto.randomUUID().slice(0, 8)}`
  const { userId } = await make.user({ displayName })
  await make.member({ communityId, userId })
  const comment = { referenceType: 'post', referenceId: desk.held[0]?.postId, data: { text } }
  await createComment(ctxOf(desk.database, asUser(userId), { source: 'rest' }), NewComment.parse(comment))
  return displayName
}

async function nameOf({ database }: Desk, { ruleId }: Rule): Promise<string> {
  return (await database.prisma.rule.findUniqueOrThrow({ where: { ruleId } })).name
}
