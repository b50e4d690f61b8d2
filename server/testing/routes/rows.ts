import { CALLERS, type Caller } from '#server/testing/callers.ts'
import { CHANNEL_ROWS } from '#server/testing/routes/channels.ts'
import { COMMENT_ROWS } from '#server/testing/routes/comments.ts'
import { COMMUNITY_ROWS } from '#server/testing/routes/communities.ts'
import { MESSAGE_ROWS } from '#server/testing/routes/messages.ts'
import { POST_ROWS } from '#server/testing/routes/posts.ts'
import { REPORT_ROWS } from '#server/testing/routes/reports.ts'
import type { Row } from '#server/testing/routes/row.ts'
import { SEARCH_ROWS } from '#server/testing/routes/search.ts'
import { SESSION_ROWS } from '#server/testing/routes/sessions.ts'
import { SETTING_ROWS } from '#server/testing/routes/settings.ts'
import { SIGNAL_ROWS } from '#server/testing/routes/signals.ts'
import { USER_ROWS } from '#server/testing/routes/users.ts'

/** Every route of the API; the tests fail if one is missing. */
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
  ...REPORT_ROWS,
  ...SIGNAL_ROWS,
]

export function nameOf({ route, about }: Row): string {
  return about === undefined ? route : `${route}, ${about}`
}

const WHO_REACHES_FAR: Caller[] = ['admin', 'key', 'server key', 'member', 'stranger']

/** A row and a caller for whom the route succeeds; staff rather than users, since they have wider access. */
export function happyCall(route: string): { row: Row; caller: Caller } {
  const [call] = WHO_REACHES_FAR.flatMap((caller) =>
    ROWS.filter((row) => row.route === route && row.outcomes[CALLERS.indexOf(caller)] === 200).map((row) => ({
      row,
      caller,
    })),
  )
  if (call === undefined) throw new Error(`no row calls ${route} and succeeds`)
  return call
}
