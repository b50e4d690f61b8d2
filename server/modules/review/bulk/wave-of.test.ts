import { expect, test } from 'vitest'
import { shinglesOf } from '#server/core/similarity/shingles.ts'
import { commonShingles, membersOf, sharedWords } from '#server/modules/review/bulk/wave-of.ts'

const TEXT = 'Cheap watches of every brand, order today at watches.example'
const OTHER = 'The lower road along the harbour is closed until the morning'

const shingles = (text: string) => shinglesOf(text) ?? expect.fail(`too short: ${text}`)

test('what texts have in common finds one that the open item alone is too far from', async () => {
  const open = shingles('Cheip watchas of ewery brand, ordir todey at watchus.example')
  const far = shingles('Cheap watch3s ov every brend, ordxr today et watches.exomple')
  const others = [TEXT, TEXT, TEXT.replace('today', 'tonight')].map(shingles)
  const common = (await commonShingles(open, [...others, far, shingles(OTHER)])) ?? expect.fail('no wave')
  const found = { shingles: far }
  const { members } = await membersOf(common, { texts: [{ shingles: shingles(OTHER) }, found], open: found, limit: 10 })
  expect(members).toEqual([found])
})

test('an item that is near to nothing has nothing in common', async () => {
  expect(await commonShingles(shingles(TEXT), [shingles(OTHER)])).toBeUndefined()
})

test('members come least similar first, and the most similar are kept with the open item', async () => {
  const texts = [TEXT, TEXT.replace('today', 'tonight'), TEXT.replace('of every brand', 'for all of you')]
  const common = shingles(TEXT)
  const named = texts.map((text) => ({ text, shingles: shingles(text) }))
  const [same, near, far] = named
  if (!same || !near || !far) throw new Error('three texts')
  expect(await membersOf(common, { texts: named, open: same, limit: 3 })).toMatchObject({
    members: [{ text: texts[2] }, { text: texts[1] }, { text: texts[0] }],
    found: 3,
  })
  expect(await membersOf(common, { texts: named, open: same, limit: 2 })).toEqual({
    members: [near, same],
    found: 3,
  })
  expect(await membersOf(common, { texts: named, open: far, limit: 2 })).toEqual({ members: [far, same], found: 3 })
  const other = { text: OTHER, shingles: shingles(OTHER) }
  expect(await membersOf(common, { texts: [...named, other], open: other, limit: 2 })).toEqual({
    members: [],
    found: 0,
  })
})

test('words that nearly all have are shared, in their order and once', async () => {
  const texts = [...Array(9).fill('Cheap WATCHES, watches today'), 'cheap wutches']
  expect(await sharedWords('Watches are cheap, watches!', texts)).toEqual(['watches', 'cheap'])
})

test('words in links are not shared words', async () => {
  const texts = [
    'Cheap watches https://one.example/buy',
    'Cheap watches www.two.example',
    'Cheap watches https://buy.example',
  ]
  expect(await sharedWords('Cheap watches https://one.example/buy', texts)).toEqual(['cheap', 'watches'])
})
