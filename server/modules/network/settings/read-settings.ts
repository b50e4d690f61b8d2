import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type {
  ChatSettings,
  FeedSettings,
  ModerationSettings,
  SocialSettings,
} from '#server/modules/network/settings/schema.ts'

/** For admin context only: ordinary users may not see what is enforced. */
export async function readModerationSettings(ctx: Ctx): Promise<ModerationSettings> {
  if (ctx.actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
  return ctx.db.networkSettings.findFirstOrThrow({ select: { isWhitelistEnabled: true, isReportEnabled: true } })
}

/** Every channel shows its latest message, unless it was deleted. */
export const CHAT_SETTINGS: ChatSettings = { messagePreview: { enabled: true, isIncludeDeleted: false } }

/** No kind of feed is restricted. */
export const FEED_SETTINGS: FeedSettings = { feedSettings: [] }

export async function readSocialSettings(ctx: Ctx): Promise<SocialSettings> {
  const socialNetworkSetting = await ctx.db.networkSettings.findFirstOrThrow({
    select: { isAllowEditCommentWhenReviewingEnabled: true },
  })
  return { socialNetworkSetting }
}
