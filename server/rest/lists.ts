import { Done } from '#server/core/wire/schema.ts'
import { addRules } from '#server/modules/network/word-lists/add-rules.ts'
import { assertLinksAllowed, assertNoBlockedWords } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { listRules } from '#server/modules/network/word-lists/list-rules.ts'
import { removeRule } from '#server/modules/network/word-lists/remove-rule.ts'
import {
  AllowLists,
  AllowListsPage,
  BlockLists,
  BlockListsPage,
  NewRules,
  RuleParams,
  RulesQuery,
  VerifyInput,
} from '#server/modules/network/word-lists/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const DONE = { success: true } as const

/** Blocked words and allowed links: docs/interface/network-settings.md#block-and-allow-lists. */
export const listRoutes: RestPlugin = async (app) => {
  app.get(
    '/api/v3/blocklists',
    { schema: { querystring: RulesQuery, response: { 200: BlockListsPage } } },
    async ({ ctx, query }) => {
      const { rules, paging } = await listRules(ctx, { ...query, list: 'block' })
      return { blocklists: rules, paging }
    },
  )

  app.post(
    '/api/v3/blocklists',
    { schema: { body: NewRules, response: { 200: BlockLists } } },
    async ({ ctx, body }) => ({ blocklists: await addRules(ctx, { ...body, list: 'block' }) }),
  )

  app.post(
    '/api/v3/blocklists/verify',
    { schema: { body: VerifyInput, response: { 200: Done } } },
    async ({ ctx, body }) => {
      await assertNoBlockedWords(ctx, 'content', body.data)
      return DONE
    },
  )

  app.delete(
    '/api/v2/blacklist/records/:ruleId',
    { schema: { params: RuleParams, response: { 200: Done } } },
    async ({ ctx, params }) => {
      await removeRule(ctx, { ...params, list: 'block' })
      return DONE
    },
  )

  app.get(
    '/api/v3/allowlists',
    { schema: { querystring: RulesQuery, response: { 200: AllowListsPage } } },
    async ({ ctx, query }) => {
      const { rules, paging } = await listRules(ctx, { ...query, list: 'allow' })
      return { allowlists: rules, paging }
    },
  )

  app.post(
    '/api/v3/allowlists',
    { schema: { body: NewRules, response: { 200: AllowLists } } },
    async ({ ctx, body }) => ({ allowlists: await addRules(ctx, { ...body, list: 'allow' }) }),
  )

  app.post(
    '/api/v3/allowlists/verify',
    { schema: { body: VerifyInput, response: { 200: Done } } },
    async ({ ctx, body }) => {
      await assertLinksAllowed(ctx, body.data)
      return DONE
    },
  )

  app.delete(
    '/api/v2/whitelist/records/:ruleId',
    { schema: { params: RuleParams, response: { 200: Done } } },
    async ({ ctx, params }) => {
      await removeRule(ctx, { ...params, list: 'allow' })
      return DONE
    },
  )
}
