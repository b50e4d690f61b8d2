import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type {
  ChatSettings,
  FeedSettings,
  ModerationSettings,
  ProductSettings,
  SocialSettings,
} from '#server/modules/network/settings/schema.ts'

/** For admin context only: ordinary users may not see what is enforced. */
export async function readModerationSettings(ctx: Ctx): Promise<ModerationSettings> {
  if (ctx.actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
  return readColumns(ctx, sql`is_whitelist_enabled, is_report_enabled`)
}

/** Every channel shows its latest message, unless it was deleted. */
export const CHAT_SETTINGS: ChatSettings = { messagePreview: { enabled: true, isIncludeDeleted: false } }

/** The settings of products, of which there are none. */
export const PRODUCT_SETTINGS: ProductSettings = { product: { enabled: false } }

/** No kind of feed is restricted. */
export const FEED_SETTINGS: FeedSettings = { feedSettings: [] }

export async function readSocialSettings(ctx: Ctx): Promise<SocialSettings> {
  return { socialNetworkSetting: await readColumns(ctx, sql`is_allow_edit_comment_when_reviewing_enabled`) }
}

/** Reads columns of the only row, which the first migration created. */
async function readColumns<Settings>(ctx: Ctx, columns: Sql): Promise<Settings> {
  const settings = await queryOne<Settings>(ctx, sql`select ${columns} from network_settings where id = 1`)
  if (settings === undefined) throw new Error('the network has no settings')
  return settings
}
