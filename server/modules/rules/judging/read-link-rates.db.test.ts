import { expect, test } from 'vitest'
import type { Db } from '#server/core/database/db-types.ts'
import { inTransaction } from '#server/core/db.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import type { NeededFacts } from '#server/modules/rules/conditions/facts.ts'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { readLinkRates } from '#server/modules/rules/judging/read-link-rates.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { rulesOn, writtenMessage, writtenPost } from '#server/testing/rules-on.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene, matchesOf } = rulesOn(database)

const MINUTE_MS = 60_000
const SAME_LINK = { kind: 'rate', by: 'link', moreThan: 2, withinMinutes: 10 }
const SAME_DOMAIN = { ...SAME_LINK, by: 'domain' }
const FLAGGED = { name: 'Links', kinds: ['message'], action: { type: 'flag' } }

async function keysOf(commentId: string): Promise<string[] | null> {
  const { rows } = await pool.query<{ keys: string[] | null }>(
    'select link_keys as keys from comment where comment_id = $1',
    [commentId],
  )
  return rows[0]?.keys ?? null
}

/** A community where others have just written this. */
async function sceneWith(...texts: string[]) {
  const place = await scene()
  const { communityId } = place
  for (const text of texts) await make.heldComment({ communityId, data: { text }, approvalStatus: null })
  return place
}

test('a rule holds what links to the same as too much of what anybody wrote in the community', async () => {
  const { communityId, author, comment, running } = await sceneWith(
    'https://shop.example/sale',
    'shop.com/a and shop.com/b',
  )
  await running(SAME_LINK)
  expect((await comment('Look at http://www.shop.example/sale/#now')).approvalStatus).toBeNull()
  expect((await comment('shop.example')).approvalStatus).toBeNull()
  const held = await comment('https://other.example, HTTPS://SHOP.EXAMPLE/sale')
  expect(held.approvalStatus).toBe('pending')
  expect(await matchesOf(held.commentId)).toMatchObject([{ found: [{ field: 'text', from: 23, to: 48 }] }])
  expect((await comment('https://shop.example/Sale')).approvalStatus).toBeNull()
  const writer = ctxOf(database, asUser(author.userId))
  const data = { title: 'See https://shop.example/sale', text: 'now' }
  const postId = await writtenPost(writer, { targetType: 'community', targetId: communityId, data })
  expect(await prisma.post.findUnique({ where: { postId } })).toMatchObject({ feedType: 'reviewing' })
})

test('a domain is counted whatever the path, once an item, in the last minutes only', async () => {
  const { communityId, comment, running } = await sceneWith('https://shop.example/1 https://shop.example/2')
  await running(SAME_DOMAIN)
  expect((await comment('https://www.shop.example/3 https://shop.example/4')).approvalStatus).toBeNull()
  const longAgo = new Date(Date.now() - 11 * MINUTE_MS)
  await prisma.comment.updateMany({ where: { communityId }, data: { createdAt: longAgo } })
  expect((await comment('https://shop.example/5')).approvalStatus).toBeNull()
  expect((await comment('https://shop.example/6')).approvalStatus).toBeNull()
  expect((await comment('https://notshop.example/7 https://a.shop.example')).approvalStatus).toBeNull()
  expect((await comment('https://shop.example/8')).approvalStatus).toBe('pending')
  expect((await comment('No link to the shop')).approvalStatus).toBeNull()
})

test('what is written elsewhere counts for a rule of the network only', async () => {
  const links = ['https://spam.example/a', 'https://spam.example/a']
  await sceneWith(...links)
  const { comment, running } = await scene()
  const own = await running(SAME_LINK)
  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const input = { communityId: null, name: 'All', kinds: ['comment'], condition: SAME_LINK }
  const rule = await createRule(admin, NewRule.parse(input))
  const live = await setRuleState(admin, { ...rule, state: 'live' })
  const held = await comment('https://spam.example/a')
  expect(held.approvalStatus).toBe('pending')
  expect((await matchesOf(held.commentId)).map(({ ruleId }) => ruleId)).toEqual([rule.ruleId])
  await setRuleState(admin, { ...live, state: 'paused' })
  expect((await comment('https://spam.example/a')).approvalStatus).toBeNull()
  expect((await comment('https://spam.example/a')).approvalStatus).toBe('pending')
  expect(own.ruleId).not.toBe(rule.ruleId)
})

test('an edit counts the others until then, and not the item itself', async () => {
  const { author, comment, running } = await scene()
  await running(SAME_LINK)
  const link = 'https://spam.example/b'
  const [first, second] = [await comment(link), await comment('Text')]
  const edit = async (commentId: string, text: string) => {
    await editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text } })
    return (await prisma.comment.findUniqueOrThrow({ where: { commentId } })).approvalStatus
  }
  expect(await edit(first.commentId, `${link} again`)).toBeNull()
  expect(await edit(second.commentId, link)).toBeNull()
  await comment(`${link} once more`)
  expect(await edit(second.commentId, `${link} indeed`)).toBe('pending')
})

test('an edit, also by a writer that knows no keys, is counted by what it says now', async () => {
  const { author, comment, running } = await scene()
  await running(SAME_DOMAIN)
  const [first, second] = [await comment('https://spam.example/1'), await comment('https://plain.example/2')]
  await editComment(ctxOf(database, asUser(author.userId)), { commentId: first.commentId, data: { text: 'Nothing' } })
  await pool.query(`update comment set data = '{"text": "https://spam.example/2"}' where comment_id = $1`, [
    second.commentId,
  ])
  expect((await comment('https://spam.example/3')).approvalStatus).toBeNull()
  expect((await comment('https://spam.example/4')).approvalStatus).toBe('pending')
})

test('links of messages are counted in messages of the channel, or of all channels but conversations', async () => {
  const { communityId, moderator, author, comment } = await scene()
  const link = 'https://chat.example/a'
  const [own, other, privately] = [
    await make.channel({ type: 'community' }),
    await make.channel({ type: 'live' }),
    await make.channel({ type: 'conversation' }),
  ]
  await prisma.community.update({ where: { communityId }, data: { channelId: own.channelId } })
  for (const { channelId } of [own, other, privately]) await make.channelUser({ channelId, userId: author.userId })
  const writer = ctxOf(database, asUser(author.userId), { source: 'rest' })
  const message = async ({ internalId: messageFeedId }: typeof own) => {
    const messageId = await writtenMessage(writer, { messageFeedId, data: { text: `See ${link}` } })
    return (await matchesOf(messageId)).map(({ ruleId }) => ruleId)
  }
  const rule = (space: string | null) => NewRule.parse({ ...FLAGGED, communityId: space, condition: SAME_LINK })
  const local = await createRule(moderator, rule(communityId))
  await setRuleState(moderator, { ...local, state: 'live' })
  for (let index = 0; index < 4; index += 1) await comment(link)
  expect([await message(own), await message(other), await message(privately)]).toEqual([[], [], []])
  expect([await message(own), await message(own)]).toEqual([[], [local.ruleId]])

  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const everywhere = await createRule(admin, rule(null))
  const live = await setRuleState(admin, { ...everywhere, state: 'live' })
  const { rows } = await pool.query<{ message_id: string }>(
    `update message set created_at = now() - interval '1 hour' where channel_id = $1 returning message_id`,
    [own.channelId],
  )
  await keepReportsOf(
    database,
    'message',
    rows.map((row) => row.message_id),
  )
  expect([await message(other), await message(other)]).toEqual([[], [everywhere.ruleId]])
  await setRuleState(admin, { ...live, state: 'paused' })
})

test('links are looked for in the latest thousand texts that have any, also in a text of more links than are stored', async () => {
  const { communityId, comment } = await scene()
  await pool.query(
    `insert into comment (comment_id, user_id, target_type, community_id, reference_type, reference_id, data, link_keys, created_at)
     select 'many-' || n, user_id, target_type, community_id, reference_type, reference_id,
       jsonb_build_object('text', 'https://other.example/' || n), case when n % 2 = 0 then array[n] end,
       now() - interval '10 seconds' - n * interval '1 millisecond'
     from comment, generate_series(1, 3000) n where comment_id = $1`,
    [(await comment('Text')).commentId],
  )
  const links = Array.from({ length: 250 }, (_, index) => `https://many.example/${index}`)
  const { commentId } = await comment(links.join(' '))
  expect((await keysOf(commentId)) === null).toBe(true)
  const ctx = ctxOf(database, asUser('anybody'))
  const countOf = async (text: string) => {
    const rates = [{ by: 'link', scope: 'community', withinMinutes: 10, upTo: 2 }] as const
    const writing = { texts: [{ field: 'text' as const, text }], textAt: new Date() }
    const [counted] = await readLinkRates(ctx, { communityId }, [writing], [...rates])
    return counted?.map(({ count }) => count)
  }
  expect(await countOf(links[3] ?? '')).toEqual([2])
  expect([await countOf('https://other.example/999'), await countOf('https://other.example/1001')]).toEqual([[2], [1]])
})

test('texts that nearly contain many long domains at each character are read in the time that a statement may take', async () => {
  const { communityId, comment } = await scene()
  // A search that takes the product of both lengths would take minutes.
  const labels = 'a.'.repeat(120)
  await pool.query(
    `insert into comment (comment_id, user_id, target_type, community_id, reference_type, reference_id, data, created_at)
     select 'hostile-' || n, user_id, target_type, community_id, reference_type, reference_id, $2::jsonb, now() - interval '10 seconds'
     from comment, generate_series(1, 1000) n where comment_id = $1`,
    [(await comment('Text')).commentId, { text: 'a.'.repeat(5_000) }],
  )
  const text = Array.from({ length: 20 }, (_, index) => `https://${labels}b${index}.com`).join(' ')
  const writing = { texts: [{ field: 'text' as const, text }], textAt: new Date() }
  const rates = [{ by: 'domain', scope: 'community', withinMinutes: 10, upTo: 2 }] as const
  const ctx = ctxOf(database, asUser('anybody'))
  const counted = await readLinkRates(ctx, { communityId }, [writing, writing, writing], [...rates])
  expect(counted.flat().map(({ count }) => count)).toEqual([1, 1, 1])
})

test.each([
  'https://[::1]/',
  'https://a-b.example/',
  'https://😀.example/',
])('%s is counted in what was edited, too', async (link) => {
  const { comment, author, running } = await scene()
  await running({ ...SAME_DOMAIN, moreThan: 1 })
  const { commentId } = await comment('Text')
  await editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text: link } })
  expect((await comment(link)).approvalStatus).toBe('pending')
})

test('a name of a domain in other scripts is the same domain', async () => {
  const { comment, running } = await sceneWith('https://xn--bcher-kva.example/1', 'https://bücher.example/2')
  await running(SAME_DOMAIN)
  expect((await comment('https://BÜCHER.example/3')).approvalStatus).toBe('pending')
})

test('what a write reads of its author, of rejected texts and of links is sent at once', async () => {
  const { communityId, author } = await scene()
  const texts = [{ field: 'text' as const, text: 'The ferry to the islands leaves at nine: https://ferry.example' }]
  const writing = { authorId: author.userId, at: new Date(), textAt: new Date(), item: { texts } }
  const needed: NeededFacts = {
    author: ['contributions'],
    rejected: [{ scope: 'community', withinDays: 1, similarAtLeast: 0.7 }],
    rates: [{ by: 'link', scope: 'community', withinMinutes: 10, upTo: 2 }],
    signals: [],
  }
  const happened: string[] = []
  await inTransaction(ctxOf(database, asUser(author.userId)), (ctx) => {
    const query: Db['query'] = async (statement) => {
      happened.push('sent')
      const answer = await ctx.db.query(statement)
      happened.push('answered')
      return answer
    }
    return readFacts({ ...ctx, db: { query } }, { communityId }, [writing], needed)
  })
  expect(happened.lastIndexOf('sent')).toBeGreaterThan(0)
  expect(happened.lastIndexOf('sent')).toBeLessThan(happened.indexOf('answered'))
})
