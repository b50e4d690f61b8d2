import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#components/i18n/locale.ts'
import { ar } from '#components/i18n/messages/ar.ts'
import { de } from '#components/i18n/messages/de.ts'
import { en } from '#components/i18n/messages/en.ts'
import {
  CONDITION_LIMITS,
  type Condition,
  Conditions,
  MediaType,
  Script,
} from '#server/modules/rules/conditions/schema.ts'
import { CONDITIONS_LIMIT, DEPTH_LIMIT, problemsOf, replacePart, toCondition, toDraft } from './condition-draft.ts'
import { fieldsOf, LEAF_KINDS, type LeafKind, toLeaf, type Values } from './condition-fields.ts'

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

const SAMPLES = { lines: 'example.org', text: 'spam', percent: '70', number: '1' }
const filled = (kind: LeafKind): Values =>
  Object.fromEntries(
    fieldsOf(kind).map((field) => {
      const sample = 'options' in field ? field.options[0] : SAMPLES[field.type as keyof typeof SAMPLES]
      return [field.name, field.initial || (sample ?? 'false')]
    }),
  )

test.each(LEAF_KINDS)('the fields of %s have the limits and options of the server', (kind) => {
  const isAccepted = (changed: Values) => Conditions.safeParse(toLeaf(kind, { ...filled(kind), ...changed })).success
  expect(isAccepted({})).toBe(true)
  for (const field of fieldsOf(kind)) {
    const at = (value: number | string) => isAccepted({ [field.name]: String(value) })
    if ('options' in field) expect(field.options.filter((option) => !at(option))).toEqual([])
    if (field.type === 'choice' && field.name !== 'isListed') expect(at('another')).toBe(false)
    if (field.type === 'number' || field.type === 'percent') {
      const max = field.type === 'number' ? field.max : 100
      expect([field.min, max].map(at)).toEqual([true, true])
      expect([field.min - 1, max + 1].map(at)).toEqual([false, false])
    }
    if (field.type === 'text') {
      const { maxLength } = field
      expect([maxLength, maxLength + 1].map((length) => at('a'.repeat(length)))).toEqual([true, false])
    }
  }
})

test('offers every script and medium of the server, and its limits', () => {
  expect(fieldsOf('script')[0]).toMatchObject({ options: Script.options })
  expect(fieldsOf('media')[0]).toMatchObject({ options: MediaType.options })
  expect(CONDITION_LIMITS).toMatchObject({ depth: DEPTH_LIMIT, conditions: CONDITIONS_LIMIT })
})

test('has a label for every field and option', () => {
  const { fields, options } = en.rules.form
  for (const field of LEAF_KINDS.flatMap(fieldsOf)) {
    expect(fields).toHaveProperty(field.name)
    if (field.type === 'choice') for (const option of field.options) expect(options).toHaveProperty(option)
  }
})

describe.each(Object.entries({ en, de, ar }))('in the catalogue of %s', (language, catalogue) => {
  const { locale } = LANGUAGES[language as Language]
  const onError = (error: Error) => {
    throw error
  }

  test.each(LEAF_KINDS)('the sentence of %s says all of its fields, and nothing else', (kind) => {
    const message: string = catalogue.rules.conditions[kind]
    const values = Object.fromEntries(fieldsOf(kind).map(({ name, type }) => [name, type === 'number' ? 2 : name]))
    const t = createTranslator({ locale, messages: { message }, onError })
    expect(t('message', { ...values, bounds: 'both' })).not.toBe('')
    for (const name of Object.keys(values)) expect(message).toMatch(new RegExp(`\\{${name}[,}]`))
  })
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
