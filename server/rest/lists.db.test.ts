import { beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { addRules } from '#server/modules/network/word-lists/add-rules.ts'
import { listKeptRules } from '#server/modules/network/word-lists/list-kept-rules.ts'
import { tryText } from '#server/modules/network/word-lists/try-text.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { FOLDED_PAIRS } from '#server/testing/folded-pairs.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()
const author = await make.user()
const user = await tokenOf(author.userId)
const { communityId } = await make.community({ needApprovalOnCommentCreation: false })
const { postId } = await make.post({ communityId })
await make.member({ communityId, userId: author.userId })

beforeEach(async () => {
  await prisma.listRule.deleteMany()
  await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled: false } })
})

const add = (list: 'blocklists' | 'allowlists', regexs: string[], over: object = {}) =>
  call('POST', `/api/v3/${list}`, { token: admin, body: { regexs, ...over } })
const say = async (text: string, data: object = {}) => {
  const { status, body } = await call('POST', '/api/v3/comments', {
    token: user,
    body: { referenceType: 'post', referenceId: postId, data: { text, ...data } },
  })
  return body.code ?? status
}

describe('the block-list', () => {
  test('rejects blocked words in new and edited content, in any case and anywhere in the body', async () => {
    await add('blocklists', ['cas+ino', 'запрет', '赌博', 'a[.]b'])
    for (const words of ['Come to the CASSSINO', 'Здесь ЗАПРЕТ', '网上赌博', 'a.b'])
      expect(await say(words)).toBe(400308)
    expect(await say('harmless', { custom: { list: ['a casino'] } })).toBe(400308)
    expect(await say('a cas-ino, aXb')).toBe(200)

    const { body } = await call('POST', '/api/v3/comments', {
      token: user,
      body: { referenceType: 'post', referenceId: postId, data: { text: 'fine' } },
    })
    const path = `/api/v3/comments/${body.comments[0].commentId}`
    const edit = await call('PUT', path, { token: user, body: { data: { text: 'casino' } } })
    expect([edit.status, edit.body]).toEqual([
      403,
      { status: 'error', code: 400308, message: 'Data contain blacklist word' },
    ])
  })

  test('matches emoji and words of scripts without spaces as whole words, and reads what is invisible, wide or in parts', async () => {
    await add('blocklists', ['👍', '赌博', 'เหล้า', 'casino', 'café'], { isMatchExactWord: true })
    for (const words of [
      'Fine 👍',
      'so👍so',
      '👍🏽',
      '网上赌博吧',
      'ดื่มเหล้ากัน',
      'c\u200bas\u00adino',
      'ｃａｓｉｎｏ',
      'the cafe\u0301',
      'CASINO!',
    ])
      expect([words, await say(words)]).toEqual([words, 400308])
    for (const words of ['casinos', 'a-xcasino', 'cafeteria']) expect([words, await say(words)]).toEqual([words, 200])
  })

  test.each(FOLDED_PAIRS)('finds %j in %j, as a part and as a whole word', async (typed, text) => {
    for (const isMatchExactWord of [false, true]) {
      await add('blocklists', [typed], { isMatchExactWord })
      expect([isMatchExactWord, await say(text)]).toEqual([isMatchExactWord, 400308])
    }
  })

  test.each([
    ['don’t', "I don't know"],
    [String.raw`don\u2019t`, "I don't know"],
    ['ＣＡＳＩＮＯ', 'the casino'],
    ['cas\u200bino', 'the casino'],
    ['[’]s', "it's"],
    ['straße', 'STRASSE'],
    ['(STRAẞE)+', 'strasse'],
    ['👍🏽', 'fine 👍'],
    ['c（a）', 'c(a)'],
    ['two   words', 'two words'],
  ])('reads the pattern %j as it reads the text %j', async (pattern, text) => {
    for (const isMatchExactWord of [false, true]) {
      expect((await add('blocklists', [pattern], { isMatchExactWord })).status).toBe(200)
      expect([isMatchExactWord, await say(text)]).toEqual([isMatchExactWord, 400308])
    }
  })

  test('accents of a pattern count, and no folded pattern matches every text', async () => {
    await add('blocklists', ['año', 'x|\u200b', '\u00ad', 'c（a）'])
    expect([await say('ano'), await say('feliz año'), await say('feliz AN\u0303O'), await say('ca')]).toEqual([
      200, 400308, 400308, 200,
    ])
  })

  test('matches whole words where configured, and \\b is the edge of a word', async () => {
    await add('blocklists', ['ass'], { isMatchExactWord: true })
    await add('blocklists', [String.raw`\bspam\b`])
    expect([await say('what an ass.'), await say('first class')]).toEqual([400308, 200])
    expect([await say('no spam!'), await say('antispammer')]).toEqual([400308, 200])
  })

  test('rules about users do not apply to content', async () => {
    await add('blocklists', ['nickname'], { category: 'user' })
    expect(await say('nickname')).toBe(200)
  })

  test('rejects invalid patterns, back-references and slow patterns, and stores nothing of that request', async () => {
    const refused = [
      '(',
      'a)|(b',
      '[',
      'a{2,1}',
      String.raw`(a)\1`,
      '***:a',
      '(a{0,255}){0,255}',
      '((a{100}){100}){100}',
    ]
    for (const pattern of refused) {
      const { status, body } = await add('blocklists', ['fine', pattern])
      expect([pattern, status, body.code]).toEqual([pattern, 422, 500000])
    }
    expect(await prisma.listRule.count()).toBe(0)
  })

  test('rejects a pattern that PostgreSQL has no memory for, each time it is tried', async () => {
    for (let tried = 0; tried < 2; tried += 1)
      expect((await add('blocklists', ['(?:(?:a{1,45}){1,45}){1,45}'])).status).toBe(422)
    expect(await prisma.listRule.count()).toBe(0)
  })

  test('matches patterns that would never end in an engine that backtracks', async () => {
    expect((await add('blocklists', ['(a+)+$b', '(x+x+)+y', '(a|aa)+c', '(.*)*d'])).status).toBe(200)
    expect(await say(`${'a'.repeat(10_000)}${'x'.repeat(9_999)}`)).toBe(200)
  })

  test('verifies texts for everyone who is signed in', async () => {
    await add('blocklists', ['bad'])
    const verify = (data: unknown, token = user) => call('POST', '/api/v3/blocklists/verify', { token, body: { data } })
    expect((await verify(['good', 'fine'])).body).toEqual({ success: true })
    expect((await verify(['good', 'so bad'])).body.code).toBe(400308)
    expect((await verify(Array.from({ length: 10 }, () => 'x'.repeat(500)))).status).toBe(200)
    expect((await verify(Array.from({ length: 11 }, () => 'x'))).status).toBe(422)
    expect((await verify(['x'.repeat(501)])).status).toBe(422)
    expect((await verify([])).status).toBe(422)
  })
})

describe('the allow-list', () => {
  test('checks nothing until the network enables it; then every link must be on it', async () => {
    await add('allowlists', [String.raw`example\.com`, String.raw`https://docs\.test/guide/.*`])
    expect(await say('see https://evil.test')).toBe(200)

    await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled: true } })
    for (const text of [
      'no link at all, e.g. this. Or example.org',
      'see https://example.com.',
      'see (http://www.example.com/a?b=c) and WWW.EXAMPLE.COM',
      'https://docs.test/guide/start',
    ])
      expect([text, await say(text)]).toEqual([text, 200])
    for (const text of [
      'see https://evil.test',
      'https://example.com and https://evil.test',
      'https://example.com.evil.test/',
      'https://evil.test/example.com',
      'https://example.com@evil.test/',
      'https://example.com:password@evil.test/',
      'www.evil.test',
      'ftp://evil.test',
      'https://docs.test/other',
      '//evil.test',
      String.raw`http:\\evil.test`,
      'http:evil.test',
      String.raw`[a friend](http:\\evil.test)`,
      'https://evil\u3002test/a',
      'https://e%76il.test',
    ])
      expect([text, await say(text)]).toEqual([text, 400309])
    expect(await say(Array.from({ length: 51 }, (_, index) => `https://example.com/${index}`).join(' '))).toBe(400309)
    expect(await say(Array.from({ length: 50 }, (_, index) => `https://example.com/${index}`).join(' '))).toBe(200)
  })

  test('verifies links as it does in content', async () => {
    await add('allowlists', [String.raw`example\.com`])
    const verify = () => call('POST', '/api/v3/allowlists/verify', { token: user, body: { data: ['https://a.b'] } })
    expect((await verify()).body).toEqual({ success: true })
    await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled: true } })
    const refused = await verify()
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      400309,
      'Data contain link that is not in whitelist',
    ])
  })
})

describe.each([
  ['blocklists', 'blacklist'],
  ['allowlists', 'whitelist'],
] as const)('%s', (list, former) => {
  test('can be read, extended and reduced by those who manage the network, page by page, newest first', async () => {
    const first = await add(list, ['one', 'two', 'one'])
    expect(first.body[list]).toMatchObject([
      { regex: 'one', isMatchExactWord: false, category: 'content' },
      { regex: 'two' },
    ])
    const again = await add(list, ['two'], { isMatchExactWord: true })
    expect(again.body[list][0]).toMatchObject({ ruleId: first.body[list][1].ruleId, isMatchExactWord: true })
    await add(list, ['three'], { category: 'user' })

    const page = await call('GET', `/api/v3/${list}?options[limit]=2`, { token: admin })
    const regexsOf = ({ body }: typeof page) => body[list].map((rule: { regex: string }) => rule.regex)
    expect(regexsOf(page)[0]).toBe('three')
    const next = await call('GET', `/api/v3/${list}?options[token]=${encodeURIComponent(page.body.paging.next)}`, {
      token: admin,
    })
    expect([...regexsOf(page), ...regexsOf(next)].toSorted()).toEqual(['one', 'three', 'two'])
    expect(regexsOf(await call('GET', `/api/v3/${list}?category=user`, { token: admin }))).toEqual(['three'])

    const gone = () => call('DELETE', `/api/v2/${former}/records/${first.body[list][0].ruleId}`, { token: admin })
    expect((await gone()).body).toEqual({ success: true })
    expect((await gone()).status).toBe(404)
    expect(await prisma.audit.count({ where: { action: { startsWith: list.slice(0, 5) } } })).toBeGreaterThan(0)

    for (const token of [user, undefined]) {
      const as = token === undefined ? {} : { token }
      const expected = token === undefined ? 401 : 403
      expect((await call('GET', `/api/v3/${list}`, as)).status).toBe(expected)
      expect((await call('POST', `/api/v3/${list}`, { ...as, body: { regexs: ['x'] } })).status).toBe(expected)
      expect((await call('DELETE', `/api/v2/${former}/records/r`, as)).status).toBe(expected)
    }
  })
})

test('both lists have 100,000 characters of patterns at most, together', async () => {
  const pattern = (index: number) => `${index}`.padEnd(500, 'x')
  await prisma.listRule.createMany({
    data: Array.from({ length: 199 }, (_, index) => ({
      list: 'block' as const,
      pattern: pattern(index),
      matcher: pattern(index),
    })),
  })
  const tooMuch = (more: number) => ({
    status: 422,
    body: {
      code: 500000,
      data: {
        detail: [
          `regexs: both lists can have at most 100000 characters together, with repetitions: they have 99500, and this adds ${more}`,
        ],
      },
    },
  })
  expect(await add('blocklists', ['x{250}', 'y{251}'])).toMatchObject(tooMuch(501))
  expect(await add('allowlists', [pattern(0), 'y'])).toMatchObject(tooMuch(501))
  expect(await add('blocklists', [pattern(0), 'y{250}'], { category: 'user' })).toMatchObject(tooMuch(750))
  const [one, other] = await Promise.all([add('blocklists', ['a{250}b']), add('allowlists', ['c{250}d'])])
  expect([one.status, other.status].toSorted()).toEqual([200, 422])

  await prisma.listRule.deleteMany({ where: { pattern: { in: ['a{250}b', 'c{250}d'] } } })
  expect((await add('allowlists', [pattern(200)])).status).toBe(200)
  expect((await add('blocklists', ['y'])).status).toBe(422)
  expect((await add('blocklists', [pattern(0)], { isMatchExactWord: true })).status).toBe(200)
})

describe('at the desk', () => {
  const keeper = ctxOf(database, { ...asAdmin(['MANAGE_NETWORK_SETTINGS']), userId: author.userId } as Actor)
  const rules = (list: 'allow' | 'block', regexs: string[]) =>
    addRules(keeper, { list, regexs, isMatchExactWord: false, category: 'content' })

  test('lists rules with who added them, page by page, and counts them', async () => {
    await rules(
      'allow',
      Array.from({ length: 30 }, (_, index) => `site-${index}`),
    )
    await rules('block', ['casino'])
    const first = await listKeptRules(keeper, { list: 'allow' })
    expect(first).toMatchObject({ count: 30, rules: { length: 25 } })
    expect(first.rules[0]?.addedBy?.userId).toBe(author.userId)
    const second = await listKeptRules(keeper, { list: 'allow', cursor: first.next })
    expect(new Set([...first.rules, ...second.rules].map(({ regex }) => regex)).size).toBe(30)
    expect((await listKeptRules(keeper, { list: 'allow', cursor: second.previous })).rules).toEqual(first.rules)
    expect(await listKeptRules(keeper, { list: 'block' })).toMatchObject({ count: 1, rules: [{ regex: 'casino' }] })
  })

  test('a test text is rejected as content would be, and the answer names the rule', async () => {
    await rules('allow', [String.raw`wikipedia\.org`])
    await rules('block', ['casino'])
    const tried = (text: string) => tryText(keeper, { text })
    const words = ['hello', 'the casino', 'see https://wikipedia.org/x', 'see https://archive.org/x']
    for (const isWhitelistEnabled of [false, true]) {
      await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled } })
      for (const text of words) expect((await tried(text)).isRefused).toBe((await say(text)) !== 200)
    }
    expect(await tried('the casino')).toEqual({ isRefused: true, blockedBy: 'casino' })
    expect(await tried(words[3] ?? '')).toEqual({
      isRefused: true,
      foreign: { link: 'https://archive.org/x', isRefused: true },
    })
    await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled: false } })
    expect(await tried(words[3] ?? '')).toEqual({
      isRefused: false,
      foreign: { link: 'https://archive.org/x', isRefused: false },
    })
  })

  test('both are only for those who change the settings of the network', async () => {
    const other = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS', 'VIEW_USERS']))
    const failureOf = (error: unknown) => (error instanceof DomainError ? error.code : error)
    expect(await listKeptRules(other, { list: 'allow' }).catch(failureOf)).toBe('FORBIDDEN')
    expect(await tryText(other, { text: 'a' }).catch(failureOf)).toBe('FORBIDDEN')
  })
})
