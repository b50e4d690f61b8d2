import type { Exemption } from '#server/testing/foreign-tries.ts'
import type { RestCaller } from '#server/testing/routes/try-foreign.ts'

/** What a route changes or publishes besides the caller's own data, and why it may. */
export const FOREIGN_EXEMPTIONS: Exemption<RestCaller>[] = [
  {
    calls: ['POST /api/v5/sessions', 'POST /api/v4/sessions', 'POST /api/v3/sessions'],
    callers: ['key', 'roles key'],
    tables: ['access_token', 'network_user', 'audit'],
    why: 'a session is opened for somebody new',
  },
  {
    calls: ['POST /api/v4/authentication/token'],
    callers: ['server key'],
    tables: ['auth_token', 'audit'],
    why: 'a token is made for somebody new',
  },
  {
    calls: ['POST /api/v4/me/flags/{userId}', 'DELETE /api/v4/me/flags/{userId}'],
    tables: ['flag', 'review_item', 'network_user', 'tally_delta', 'event', 'audit'],
    why: 'profiles are open to everyone, and so is reporting them',
  },
  {
    calls: ['POST /api/v3/communities', 'POST /api/v3/communities/'],
    tables: ['community', 'community_user', 'tally_delta', 'event', 'audit'],
    why: 'a community is made, with whomever its maker adds',
  },
  {
    calls: ['POST /api/v3/channels', 'POST /api/v3/channels/conversation'],
    tables: ['channel', 'channel_user', 'tally_delta', 'event', 'audit'],
    why: 'a channel is made, with whomever its maker adds',
  },
  {
    calls: [
      'POST /api/v3/posts',
      'POST /api/v4/posts',
      'POST /api/v3/posts/{postId}/approve',
      'POST /api/v3/posts/{postId}/decline',
    ],
    tables: ['tally_delta'],
    why: 'posts are counted by their feed, whose id is its own',
  },
  {
    calls: ['PUT /api/v3/comments/{commentId}', 'PUT /api/v4/comments/{commentId}'],
    tables: ['held_text_delta'],
    why: 'held texts are counted by a key of their own, which names no record',
  },
  {
    calls: ['POST /api/v3/blocklists', 'POST /api/v3/allowlists'],
    callers: ['admin'],
    tables: ['list_rule', 'audit'],
    why: 'lists are the network’s',
  },
  {
    calls: ['GET /api/v1/reports/moderation-activity/download'],
    callers: ['support', 'moderator', 'admin'],
    tables: ['audit'],
    why: 'who fetched a report is logged under the token, which is nobody in the scene',
  },
]
