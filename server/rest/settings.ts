import {
  CHAT_SETTINGS,
  FEED_SETTINGS,
  PRODUCT_SETTINGS,
  readModerationSettings,
  readSocialSettings,
} from '#server/modules/network/settings/read-settings.ts'
import {
  ChatSettings,
  FeedSettings,
  ModerationSettings,
  ModerationSettingsChange,
  ProductSettings,
  SocialSettings,
  UiKitSettings,
} from '#server/modules/network/settings/schema.ts'
import { updateModerationSettings } from '#server/modules/network/settings/update-moderation-settings.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** The moderation settings, and the network settings that clients read: docs/interface/network-settings.md. */
export const settingsRoutes: RestPlugin = async (app) => {
  app.put(
    '/api/v3/network-settings/moderation',
    {
      schema: { body: ModerationSettingsChange, response: { 200: ModerationSettings } },
      config: { invalid: 'INVALID_REQUEST' },
    },
    ({ ctx, body }) => updateModerationSettings(ctx, body),
  )

  app.get('/api/v3/network-settings/moderation', { schema: { response: { 200: ModerationSettings } } }, ({ ctx }) =>
    readModerationSettings(ctx),
  )

  app.get('/api/v3/network-settings/chat', { schema: { response: { 200: ChatSettings } } }, async () => CHAT_SETTINGS)

  app.get(
    '/api/v3/network-settings/feed-setting',
    { schema: { response: { 200: FeedSettings } } },
    async () => FEED_SETTINGS,
  )

  app.get(
    '/api/v3/network-settings/product',
    { schema: { response: { 200: ProductSettings } } },
    async () => PRODUCT_SETTINGS,
  )

  app.get('/api/v3/network-settings/uikit', { schema: { response: { 200: UiKitSettings } } }, async () => ({}))

  app.get('/api/v3/network-settings/social', { schema: { response: { 200: SocialSettings } } }, ({ ctx }) =>
    readSocialSettings(ctx),
  )
}
