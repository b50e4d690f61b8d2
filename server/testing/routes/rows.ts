import { CHANNEL_ROWS } from '#server/testing/routes/channels.ts'
import { COMMENT_ROWS } from '#server/testing/routes/comments.ts'
import { COMMUNITY_ROWS } from '#server/testing/routes/communities.ts'
import { MESSAGE_ROWS } from '#server/testing/routes/messages.ts'
import { POST_ROWS } from '#server/testing/routes/posts.ts'
import type { Row } from '#server/testing/routes/row.ts'
import { SEARCH_ROWS } from '#server/testing/routes/search.ts'
import { SESSION_ROWS } from '#server/testing/routes/sessions.ts'
import { SETTING_ROWS } from '#server/testing/routes/settings.ts'
import { USER_ROWS } from '#server/testing/routes/users.ts'

/** Every route of the interface; one that is missing fails the tests. */
export const ROWS: Row[] = [
  ...SESSION_ROWS,
  ...COMMUNITY_ROWS,
  ...COMMENT_ROWS,
  ...POST_ROWS,
  ...CHANNEL_ROWS,
  ...MESSAGE_ROWS,
  ...SEARCH_ROWS,
  ...USER_ROWS,
  ...SETTING_ROWS,
]

export function nameOf({ route, about }: Row): string {
  return about === undefined ? route : `${route}, ${about}`
}
