import { expect, test } from 'vitest'
import { shinglesOf, similarity } from '#server/core/similarity/shingles.ts'
import { bandsAround, textBandsOf } from '#server/modules/content/items/text-bands.ts'

const TEXT = 'Cheap watches of every brand, order today at watches.example'
const NOON = new Date('2026-03-01T12:00:00Z')

const shingles = (text: string) => shinglesOf(text) ?? expect.fail(`too short: ${text}`)
const likeness = (one: string, other: string) => similarity(shingles(one), shingles(other))
const shared = (one: string, other: string, { at = NOON } = {}) => {
  const bands = new Set(bandsAround(shingles(one), NOON))
  const written = { subjectType: 'comment', communityId: 'harbour', data: { text: other }, hasFiles: false } as const
  return textBandsOf(written, at)?.filter((band) => bands.has(band)).length
}

test('a text is as good as equal to itself in other spelling, case and letters that look the same', () => {
  expect(likeness(TEXT, 'СHEAP   wаtсhеs of every brand - order today, at WATCHES.example!!!')).toBe(1)
  expect(likeness(TEXT, TEXT.replace('today', 'tonight'))).toBeGreaterThan(0.7)
  expect(likeness(TEXT, 'The lower road along the harbour is closed until the morning')).toBeLessThan(0.1)
})

test('texts without spaces between words are compared as others are', () => {
  const one = '港口附近的道路今天下午因为施工而关闭请大家绕行谢谢配合我们会尽快恢复交通'
  expect(likeness(one, one.replace('今天下午', '明天上午'))).toBeGreaterThan(0.5)
  expect(likeness(one, '这家商店的手表非常便宜现在下单还可以享受折扣欢迎大家前来选购数量有限先到先得')).toBeLessThan(
    0.1,
  )
})

test('near texts share bands, others none', () => {
  expect(shared(TEXT, TEXT)).toBe(32)
  expect(shared(TEXT, TEXT.replace('brand', 'kind'))).toBeGreaterThan(3)
  expect(shared(TEXT, 'The lower road along the harbour is closed until the morning')).toBe(0)
})

test('bands are looked up a day around, not further', () => {
  expect(shared(TEXT, TEXT, { at: new Date('2026-02-28T00:00:00Z') })).toBe(32)
  expect(shared(TEXT, TEXT, { at: new Date('2026-03-02T23:59:59Z') })).toBe(32)
  expect(shared(TEXT, TEXT, { at: new Date('2026-03-03T00:00:00Z') })).toBe(0)
})

test('short texts, texts with files and texts outside communities have no bands', () => {
  const bands = (written: object) =>
    textBandsOf(
      { subjectType: 'comment', communityId: 'harbour', data: { text: TEXT }, hasFiles: false, ...written },
      NOON,
    )
  expect(bands({})).toHaveLength(32)
  expect(bands({ data: { text: 'Cheap watches!' } })).toBeNull()
  expect(bands({ data: { text: 7 } })).toBeNull()
  expect(bands({ hasFiles: true })).toBeNull()
  expect(bands({ communityId: null })).toBeNull()
  expect(bands({ subjectType: 'post', data: { title: TEXT } })).toHaveLength(32)
})
