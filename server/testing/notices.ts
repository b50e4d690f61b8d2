import { keyFor } from '#server/core/secret.ts'
import type { NoticeParts } from '#server/modules/integrations/notices/notice-parts.ts'
import { TEST_SECRET } from '#server/testing/ctx.ts'

/** Mail servers of tests listen on loopback. */
export const testNotices: NoticeParts = {
  key: keyFor(TEST_SECRET, 'notices'),
  linkKey: keyFor(TEST_SECRET, 'stop links'),
  allowsLoopback: true,
  deskUrl: 'https://desk.example',
  smtp: undefined,
}
