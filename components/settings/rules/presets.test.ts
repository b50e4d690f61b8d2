import { expect, test } from 'vitest'
import { PRESET_IDS } from '#components/kit/addresses/rules-search.ts'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { assertUsable } from '#server/modules/rules/registry/assert-usable.ts'
import { DEPTH_LIMIT, toCondition, toDraft } from './condition-draft.ts'
import { PRESETS } from './presets.ts'

const NEWCOMER = {
  accountAgeDays: 0.5,
  contributions: 0,
  approved: 0,
  rejected: 0,
  bans: 0,
  membership: 'member',
} as const
const REGULAR = { ...NEWCOMER, accountAgeDays: 900, contributions: 400 }

const rules = await compileRules(
  PRESET_IDS.map((ruleId) => ({ ruleId, version: 1, condition: PRESETS[ruleId].condition })),
)

function found(text: string, facts: Partial<Facts> = {}): string[] {
  const item: Facts = { texts: [{ field: 'text', text }], mentions: 0, media: [], author: REGULAR, rates: [], ...facts }
  return judge(rules, item).fired.map(({ ruleId }) => ruleId)
}

test('each preset is a condition that the server takes and the editor keeps as it is', async () => {
  for (const id of PRESET_IDS) {
    const { condition } = PRESETS[id]
    expect(Conditions.parse(condition), id).toEqual(condition)
    await expect(assertUsable(condition)).resolves.toBeUndefined()
    expect(toCondition(toDraft(condition)), id).toEqual(condition)
  }
  expect(DEPTH_LIMIT).toBeGreaterThan(3)
})

test.each([
  ['a slur, also with tricks', 'you f a g g o t', REGULAR, ['slursEn']],
  ['a slur in German', 'So ein Kanacke!', REGULAR, ['slursDe']],
  ['a slur in Arabic', 'أنت زنجي', REGULAR, ['slursAr']],
  ['a word within another', 'Nigeria and Niger border on each other; a chinkara', REGULAR, []],
  ['a link by somebody new', 'See https://boats.example', NEWCOMER, ['newLinks']],
  ['a link by a regular', 'See https://boats.example', REGULAR, []],
  ['a promise with a contact elsewhere', 'Guaranteed profit, message me on WhatsApp', REGULAR, ['scams']],
  ['a promise in Arabic by somebody new', 'ربح مضمون لكم', NEWCOMER, ['scams']],
  ['a wallet by somebody new', 'Send it to 0x52908400098527886E0F7030069857D2E4169EE7', NEWCOMER, ['scams']],
  ['a payment link by somebody new', 'Pay at https://paypal.me/somebody', NEWCOMER, ['newLinks', 'scams']],
  ['ordinary talk of a regular', 'I met him on Telegram, and we talked about profit', REGULAR, []],
  ['ordinary talk of somebody new', 'Hello, I am new here', NEWCOMER, []],
])('the presets find %s as they should', (_, text, author, expected) => {
  expect(found(text, { author })).toEqual(expected)
})

test('the preset for raids finds what new accounts repeat, and spares regulars', () => {
  const rates = [{ by: 'link', scope: 'community', withinMinutes: 10, count: 4, most: 'boats.example' }] as const
  expect(found('Join us', { author: NEWCOMER, rates: [...rates] })).toEqual(['raid'])
  expect(found('Join us', { author: REGULAR, rates: [...rates] })).toEqual([])
  expect(found('Join us', { author: NEWCOMER, mentions: 6 })).toEqual(['raid'])
})
