import { expect, test } from 'vitest'
import { queryOne, sql } from '#server/core/db.ts'
import { judgeContent, type NewContent } from '#server/modules/rules/judging/judge-content.ts'
import { runningRules } from '#server/modules/rules/judging/running-rules.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database } = await testDatabase()
const { scene } = rulesOn(database)
const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))

async function rulesOf(communityId: string): Promise<string | null> {
  const row = await queryOne<{ rules: string | null }>(
    admin,
    sql`select ${runningRules(sql`k.community_id`)} as rules from community k where k.community_id = ${communityId}`,
  )
  return row?.rules ?? null
}

test('a rule that begins while a write is judged stays in its community', async () => {
  const [here, elsewhere] = [await scene(), await scene()]
  const ofNetwork = {
    communityId: null,
    name: 'Network',
    kinds: ['comment'],
    condition: { kind: 'words', words: ['tram'] },
  }
  const rule = await createRule(admin, NewRule.parse(ofNetwork))
  await setRuleState(admin, { ...rule, state: 'live' })

  // Both communities have the same rules so far: those of the network.
  const rules = await rulesOf(here.communityId)
  const { ruleId } = await here.running({ kind: 'words', words: ['ferry'] })
  const written: Omit<NewContent, 'communityId' | 'rules'> = {
    kind: 'comment',
    authorId: here.author.userId,
    data: { text: 'The ferry runs' },
    mentions: 0,
    media: [],
  }
  const first = await judgeContent(admin, { ...written, communityId: here.communityId, rules })
  expect(first.holding).toMatchObject([{ ruleId }])

  expect((await elsewhere.comment('The ferry runs')).approvalStatus).toBeNull()
  expect((await here.comment('The ferry runs')).approvalStatus).toBe('pending')
})
