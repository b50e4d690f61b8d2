import { CHANNEL_PERMISSIONS, COMMUNITY_PERMISSIONS, NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'

/** What a role of each scope may grant; a network role also grants it in every community and channel. */
export const PERMISSIONS_IN = {
  network: [...NETWORK_PERMISSIONS, ...COMMUNITY_PERMISSIONS, ...CHANNEL_PERMISSIONS],
  community: COMMUNITY_PERMISSIONS,
  channel: CHANNEL_PERMISSIONS,
} as const
