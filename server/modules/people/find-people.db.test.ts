import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { findPeople } from '#server/modules/people/find-people.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()

/** Names as people write them, in twelve scripts; some differ from another one by little. */
const NAMES = [
  'Siobhán O’Neill',
  "Siobhan O'Neal",
  'Inés Carvalho',
  'Ines Caravaggio',
  'Jürgen Großmann',
  'Søren Kierkegaard',
  'Łukasz Świątek',
  'Ayşe Yıldız',
  'Nguyễn Thị Minh Khai',
  'Æthelred Þórsson',
  'Editor 1180',
  'Editor 11801',
  'Editor 11802',
  'Алексей Толстой',
  'Семён Королёв',
  'Γιώργος Παπαδόπουλος',
  'محمد الأحمدي',
  'مُنى طه',
  'رضا کاظمی',
  'משה בן־דוד',
  'किशोर कुमार',
  'রবীন্দ্রনাথ ঠাকুর',
  'สมชาย ใจดี',
  'მარიამ ბერიძე',
  'Արամ Խաչատրյան',
  '山田 太郎',
  'さくら たなか',
  '김민준',
] as const

/** Each with what somebody types who means it, who is then found first. */
const TYPED: Record<string, string[]> = {
  'Siobhán O’Neill': [
    'Siobhan ONeill',
    'siobhan oneil',
    "o'neill  siobhán",
    'siobahn oneill',
    'ONeill Siobhn',
    'SIOBHAN O NEILL',
  ],
  'Inés Carvalho': ['Ines Carvallo', 'carvalho ines', 'inez carvalo', 'INÉS  CARVALHO', 'Carvaho Inez'],
  'Jürgen Großmann': ['jurgen grossmann', 'Grossmann, Jürgen', 'Juergen Großman'],
  'Søren Kierkegaard': ['soren kierkegard', 'Kierkegaard Sören'],
  'Łukasz Świątek': ['lukasz swiatek', 'Swiatek Lukas'],
  'Ayşe Yıldız': ['ayse yildiz', 'YILDIZ AYŞE', 'Yilidz Ayse'],
  'Nguyễn Thị Minh Khai': ['nguyen thi minh khai', 'Minh Khai Nguyen', 'khai ngyuen'],
  'Æthelred Þórsson': ['aethelred thorsson', 'Thorson Aethelred'],
  'Editor 1180': ['editor  1180', 'EDITOR 1180', ' Editor 1180 ', '1180 editor', 'Editor\t1180'],
  'Алексей Толстой': ['алексеи толстои', 'Толстой Алексей', 'Алексей Талстой'],
  'Семён Королёв': ['семен королев', 'Королев Симен'],
  'Γιώργος Παπαδόπουλος': ['γιωργος παπαδοπουλος', 'Παπαδόπουλος Γιόργος'],
  'محمد الأحمدي': ['محمد الاحمدي', 'الاحمدي محمد', 'محمّد الأحمدى', 'محمد الاحمد'],
  'مُنى طه': ['منى طه', 'مني طه'],
  'رضا کاظمی': ['رضا كاظمي', 'كاظمي رضا'],
  'משה בן־דוד': ['משה בן דוד', 'מֹשֶׁה בן דוד'],
  'किशोर कुमार': ['कुमार किशोर', 'किशर कुमार'],
  'রবীন্দ্রনাথ ঠাকুর': ['ঠাকুর রবীন্দ্রনাথ', 'রবীন্দ্রনথ ঠাকুর'],
  'สมชาย ใจดี': ['ใจดี สมชาย', 'สมชย ใจดี'],
  'მარიამ ბერიძე': ['ბერიძე მარიამ', 'მარამ ბერიძე'],
  'Արամ Խաչատրյան': ['խաչատրյան արամ', 'Արամ Խաչատրան'],
  '山田 太郎': ['山田　太郎', '太郎 山田'],
  'さくら たなか': ['たなか さくら', 'さくら たかな'],
  김민준: ['김민주', '김민춘'],
}

beforeAll(async () => {
  await database.prisma.user.createMany({
    data: NAMES.map((displayName) => ({ userId: randomUUID(), displayName })),
  })
})

const agent = () =>
  ctxOf(database, {
    kind: 'admin',
    userId: 'agent',
    name: 'Agent',
    rank: 400,
    permissions: new Set(['VIEW_USERS', 'VIEW_CHANNELS'] as const),
  })
const namesFound = async (query: string) => (await findPeople(agent(), { query })).map(({ displayName }) => displayName)

test('finds a name in any order, case and spacing, without its accents, and with one error in each word', async () => {
  for (const [name, ways] of Object.entries(TYPED))
    for (const typed of [name, name.toUpperCase(), name.toLowerCase(), ...ways])
      expect([typed, (await namesFound(typed))[0]]).toEqual([typed, name])
})

test('finds each name of two words with a letter left out, doubled or replaced in each word, and with two transposed', async () => {
  const misspellings = (word: string) => {
    const letters = [...word]
    const middle = Math.floor(letters.length / 2)
    const [before, at, after] = [letters.slice(0, middle), letters[middle] ?? '', letters.slice(middle + 1)]
    return [
      [...before, ...after],
      [...before, at, at, ...after],
      [...before, 'x', ...after],
      [...before.slice(0, -1), at, before.at(-1) ?? '', ...after],
    ].map((spelling) => spelling.join(''))
  }
  for (const name of ['Søren Kierkegaard', 'Алексей Толстой', 'Γιώργος Παπαδόπουλος', 'მარიამ ბერიძე']) {
    const [given = '', family = ''] = name.split(' ')
    for (const [index, misspelt] of misspellings(given).entries()) {
      const typed = `${misspellings(family)[index]} ${misspelt}`
      expect([typed, (await namesFound(typed))[0]]).toEqual([typed, name])
    }
  }
})

test('puts the exact name before every name that begins with it or contains it', async () => {
  for (const typed of ['editor  1180', 'EDITOR 1180']) {
    expect(await namesFound(typed)).toEqual(['Editor 1180', 'Editor 11801', 'Editor 11802'])
  }
})

test('finds nobody for punctuation alone or a name nobody has', async () => {
  for (const typed of ["'", '---', '%', '_', '\\', 'Qzwx Xvkj'])
    expect([typed, await namesFound(typed)]).toEqual([typed, []])
})
