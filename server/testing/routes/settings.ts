import type { Row } from '#server/testing/routes/row.ts'

/** The network's settings, and the block- and allow-lists. */
export const SETTING_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'PUT /api/v3/network-settings/moderation',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: () => ({ body: { isReportEnabled: false } }),
  },
  {
    route: 'GET /api/v3/network-settings/moderation',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/network-settings/chat',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/network-settings/feed-setting',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  ...(['product', 'uikit'] as const).map(
    (settings): Row => ({
      route: `GET /api/v3/network-settings/${settings}`,
      outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    }),
  ),
  {
    route: 'GET /api/v3/network-settings/social',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/blocklists',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/blocklists',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ word }) => ({ body: { regexs: [word] } }),
  },
  {
    route: 'POST /api/v3/blocklists/verify',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: () => ({ body: { data: ['A text'] } }),
  },
  {
    route: 'DELETE /api/v2/blacklist/records/{ruleId}',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ blockRuleId }) => ({ path: { ruleId: blockRuleId } }),
  },
  {
    route: 'GET /api/v3/allowlists',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/allowlists',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ word }) => ({ body: { regexs: [word] } }),
  },
  {
    route: 'POST /api/v3/allowlists/verify',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: () => ({ body: { data: ['A text'] } }),
  },
  {
    route: 'DELETE /api/v2/whitelist/records/{ruleId}',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ allowRuleId }) => ({ path: { ruleId: allowRuleId } }),
  },
]
