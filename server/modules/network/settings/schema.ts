import { z } from 'zod'
import type { LastChange } from '#server/modules/ledger/audit/read-last-changes.ts'

/** The moderation settings (docs/interface/network-settings.md#moderation). */
export const ModerationSettings = z
  .object({
    /** Links in new comments, posts and messages must match the allow-list. */
    isWhitelistEnabled: z.boolean(),
    /** Collects a report of moderators' actions from then on. */
    isReportEnabled: z.boolean(),
  })
  .meta({ id: 'ModerationSettings' })
export type ModerationSettings = z.output<typeof ModerationSettings>

/** What is left out stays as it is (docs/interface/network-settings.md#moderation). */
export const ModerationSettingsChange = ModerationSettings.partial().meta({ id: 'ModerationSettingsChange' })
export type ModerationSettingsChange = z.output<typeof ModerationSettingsChange>

/** The moderation flags as the desk shows them: each, and who last changed it, if anyone. */
export interface ModerationFlags {
  settings: ModerationSettings
  changes: Partial<Record<keyof ModerationSettings, LastChange>>
}

/** What clients request at the start of a session (docs/interface/network-settings.md#settings-for-clients). */
export const ChatSettings = z
  .object({ messagePreview: z.object({ enabled: z.boolean(), isIncludeDeleted: z.boolean() }) })
  .meta({ id: 'ChatSettings' })
export type ChatSettings = z.output<typeof ChatSettings>

export const SocialSettings = z
  .object({ socialNetworkSetting: z.object({ isAllowEditCommentWhenReviewingEnabled: z.boolean() }) })
  .meta({ id: 'SocialSettings' })
export type SocialSettings = z.output<typeof SocialSettings>

/** The UI kit reads whether it may offer products. */
export const ProductSettings = z.object({ product: z.object({ enabled: z.boolean() }) }).meta({ id: 'ProductSettings' })
export type ProductSettings = z.output<typeof ProductSettings>

/** The UI kit's own configuration, of which it has defaults. */
export const UiKitSettings = z.object({}).meta({ id: 'UiKitSettings' })

/** What each kind of feed accepts; clients show everything if absent. */
export const FeedSettings = z
  .object({
    feedSettings: z.array(
      z.object({ feedType: z.string(), contentSettings: z.array(z.record(z.string(), z.unknown())) }),
    ),
  })
  .meta({ id: 'FeedSettings' })
export type FeedSettings = z.output<typeof FeedSettings>
