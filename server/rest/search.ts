import { z } from 'zod'
import {
  FoundChannels,
  FoundMessages,
  SearchChannelsQuery,
  SearchMessagesQuery,
} from '#server/modules/search/schema.ts'
import { searchChannels } from '#server/modules/search/search-channels.ts'
import { searchMessages } from '#server/modules/search/search-messages.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const success = <Data extends z.ZodType>(data: Data) => z.object({ status: z.literal('success'), data })

/** The two searches, which wrap their answers: docs/interface/search.md#response. */
export const searchRoutes: RestPlugin = async (app) => {
  app.get(
    '/api/v2/search/messages',
    { schema: { querystring: SearchMessagesQuery, response: { 200: success(FoundMessages) } } },
    async ({ ctx, query }) => ({ status: 'success' as const, data: await searchMessages(ctx, query) }),
  )

  app.get(
    '/api/v2/search/channels',
    { schema: { querystring: SearchChannelsQuery, response: { 200: success(FoundChannels) } } },
    async ({ ctx, query }) => ({ status: 'success' as const, data: await searchChannels(ctx, query) }),
  )
}
