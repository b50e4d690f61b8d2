import { expect, test } from 'vitest'
import { rules } from '#components/i18n/messages/en/rules.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import { CONDITION_LIMITS, Conditions, Script } from '#server/modules/rules/conditions/schema.ts'
import { CONDITIONS_LIMIT, DEPTH_LIMIT, problemsOf, replacePart, toCondition, toDraft } from './condition-draft.ts'
import { FIELDS, LEAF_KINDS } from './condition-fields.ts'

const EVERYTHING: Condition = {
  kind: 'any',
  conditions: [
    { kind: 'words', words: ['free boats', 'win'], match: 'part', spelling: 'exact' },
    { kind: 'not', condition: { kind: 'domains', domains: ['example.org'], isListed: false } },
    {
      kind: 'all',
      conditions: [
        { kind: 'length', atMost: 20 },
        { kind: 'capitals', shareAtLeast: 0.725, letters: 12 },
        { kind: 'pattern', pattern: 'a+b', isCaseSensitive: true },
      ],
    },
    { kind: 'script', scripts: ['Han', 'Thai'], shareAtLeast: 0.5 },
    { kind: 'rate', by: 'author', moreThan: 3, withinMinutes: 5 },
    { kind: 'rate', by: 'domain', moreThan: 2, withinMinutes: 60 },
    { kind: 'similarity', similarAtLeast: 0.72, withinDays: 7, times: 2 },
    { kind: 'accountAge', underDays: 0.5 },
    { kind: 'signal', name: 'spam.links', atLeast: 0.85 },
  ],
}

test('a condition stays the same in the editor', () => {
  expect(toCondition(toDraft(EVERYTHING))).toEqual(EVERYTHING)
  for (const condition of EVERYTHING.conditions) expect(toCondition(toDraft(condition))).toEqual(condition)
})

test('offers every condition that the server accepts, with the options it has', () => {
  const known = new Set(LEAF_KINDS)
  for (const kind of ['words', 'bans', 'media', 'language', 'membership'] as const) expect(known).toContain(kind)
  expect(FIELDS.script[0]).toMatchObject({ options: Script.options })
  expect(CONDITION_LIMITS).toMatchObject({ depth: DEPTH_LIMIT, conditions: CONDITIONS_LIMIT })
})

test('has a label for every field and option', () => {
  const { fields, options } = rules.rules.form
  for (const field of LEAF_KINDS.flatMap((kind) => FIELDS[kind])) {
    expect(fields).toHaveProperty(field.name)
    if (field.type === 'choice') for (const option of field.options) expect(options).toHaveProperty(option)
  }
})

test('a part can be replaced or removed wherever it is', () => {
  const draft = toDraft(EVERYTHING)
  const [, , group] = draft.parts
  const inner = group && 'parts' in group ? group.parts[1] : undefined
  expect(toCondition(replacePart(draft, inner?.id ?? '', undefined))).toEqual({
    ...EVERYTHING,
    conditions: EVERYTHING.conditions.with(2, {
      kind: 'all',
      conditions: [
        { kind: 'length', atMost: 20 },
        { kind: 'pattern', pattern: 'a+b', isCaseSensitive: true },
      ],
    }),
  })
})

test('finds the part that a problem of the server is about', () => {
  const draft = toDraft(EVERYTHING)
  const [words, domains, group] = draft.parts
  const pattern = group && 'parts' in group ? group.parts[2] : undefined
  const detail = [
    '✖ must contain a visible character',
    '  → at condition.conditions[0].words[1]',
    '✖ must be a domain',
    '  → at condition.conditions[1].condition.domains[0]',
    'condition.conditions[2].conditions[2]: the pattern is too large',
    'name: must not be blank',
  ]
  expect(problemsOf(detail, draft)).toEqual({
    [words?.id ?? '']: { field: 'words', entry: 'win', text: 'must contain a visible character' },
    [domains?.id ?? '']: { field: 'domains', entry: 'example.org', text: 'must be a domain' },
    [pattern?.id ?? '']: { text: 'the pattern is too large' },
    '': { field: 'name', text: 'must not be blank' },
  })
})

test('finds the part of a single condition', () => {
  const { success, error } = Conditions.safeParse({ kind: 'links', atLeast: 99 })
  expect(success).toBe(false)
  const draft = toDraft({ kind: 'not', condition: { kind: 'links', atLeast: 99 } })
  const path = `condition.condition.${error?.issues[0]?.path.join('.')}`
  expect(problemsOf(['✖ too big', `  → at ${path}`], draft)).toEqual({
    [draft.parts[0]?.id ?? '']: { field: 'atLeast', text: 'too big' },
  })
})
