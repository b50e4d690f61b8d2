import { beforeAll, expect, test } from 'vitest'
import { queryOne, sql } from '#server/core/db.ts'
import { judgeContent } from '#server/modules/rules/judging/judge-content.ts'
import { readRunningRules, runningRules } from '#server/modules/rules/judging/running-rules.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { collectGarbage } from '#server/testing/collect-garbage.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database } = await testDatabase()
const { scene } = rulesOn(database)
const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))

const FERRY = { kind: 'words', words: ['ferry'] }

beforeAll(async () => {
  const input = {
    communityId: null,
    name: 'Network',
    kinds: ['comment', 'post'],
    condition: { kind: 'words', words: ['tram'] },
  }
  await setRuleState(admin, { ...(await createRule(admin, NewRule.parse(input))), state: 'live' })
})

async function nameOfRules(communityId: string): Promise<string> {
  const row = await queryOne<{ name: string | null }>(
    admin,
    sql`select ${runningRules(sql`k.community_id`)} as name from community k where k.community_id = ${communityId}`,
  )
  return row?.name ?? ''
}

const judged = ({ communityId, author }: Awaited<ReturnType<typeof scene>>, rules: string, text: string) =>
  judgeContent(admin, {
    kind: 'comment',
    communityId,
    rules,
    authorId: author.userId,
    data: { text },
    mentions: 0,
    media: [],
  })

const runningIn = async (communityId: string) =>
  readRunningRules(admin, { kind: 'comment', communityId }, await nameOfRules(communityId))

test('a rule that begins while a write is judged stays in its community', async () => {
  const [here, elsewhere] = [await scene(), await scene()]
  // Both communities have the rules of the network only.
  const rules = await nameOfRules(here.communityId)
  expect(await nameOfRules(elsewhere.communityId)).toBe(rules)
  await here.running(FERRY)
  expect(await judged(here, rules, 'The ferry runs')).toMatchObject({ holding: [] })

  expect((await elsewhere.comment('The ferry runs')).approvalStatus).toBeNull()
  expect((await here.comment('The ferry runs')).approvalStatus).toBe('pending')
})

test('a write that was begun before a rule changed is judged by the rule as it is now, and later ones are too', async () => {
  const here = await scene()
  await here.running({ kind: 'words', words: ['bus'] })
  const rules = await nameOfRules(here.communityId)
  const { ruleId } = await here.running(FERRY)
  expect(await judged(here, rules, 'The ferry runs')).toMatchObject({ holding: [{ ruleId }] })
  expect(await judged(here, await nameOfRules(here.communityId), 'The ferry runs')).toMatchObject({
    holding: [{ ruleId }],
  })
})

test('the words of the network are compiled once for all communities, and once for comments and posts', async () => {
  const [here, elsewhere] = [await scene(), await scene()]
  for (const { running } of [here, elsewhere]) await running(FERRY)
  const [ofHere, ofElsewhere] = [await runningIn(here.communityId), await runningIn(elsewhere.communityId)]
  const [network, own] = ofHere.compiled.comment.wordIndex.matchers
  expect([network, own]).not.toContain(undefined)
  expect(ofElsewhere.compiled.comment.wordIndex.matchers[0]).toBe(network)
  expect(ofHere.compiled.post.wordIndex.matchers).toEqual([network, own])
  expect(ofElsewhere.compiled.comment.wordIndex.matchers[1]).not.toBe(own)
})

test('the compiled rules of before a change are given up with the change', async () => {
  const here = await scene()
  await here.running(FERRY)
  const before = new WeakRef((await runningIn(here.communityId)).compiled.comment.wordIndex.matchers[1] ?? {})
  await collectGarbage()
  expect(before.deref()).toBeDefined()
  await here.running({ kind: 'words', words: ['bus'] })
  await runningIn(here.communityId)
  await collectGarbage()
  expect(before.deref()).toBeUndefined()
})
