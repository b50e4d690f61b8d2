import { createHash } from 'node:crypto'
import { describeNotice } from '#server/modules/integrations/notices/describe-notice.ts'
import { inHeader, type Mail } from '#server/modules/integrations/notices/mail/send-mail.ts'
import type { NoticeParts } from '#server/modules/integrations/notices/notice-parts.ts'
import type { ReadNotices } from '#server/modules/integrations/notices/read-notices.ts'
import { signStop } from '#server/modules/integrations/notices/stop-link.ts'
import { WORDS } from '#server/modules/integrations/notices/words.ts'

const NOTICES_A_MAIL = 50

/**
 * One mail with all notices of a person, in plain text: each in one line with its link. It can be stopped with one click, also by the mail program (RFC
 * 8058). A mail that is sent again has the same id.
 */
export function composeMail({ recipient, notices }: ReadNotices, { deskUrl, linkKey }: NoticeParts, now: Date): Mail {
  const words = WORDS[recipient.language]
  const described = notices.map((notice) => describeNotice(notice, recipient, deskUrl))
  const [only] = described
  const topics = [...new Set(notices.map(({ topic }) => topic))].toSorted()
  const token = signStop(linkKey, { staffId: recipient.staffId, topics }, now)
  const shown = described.slice(0, NOTICES_A_MAIL)
  const left = described.length - shown.length
  const parts = [
    ...shown.map(({ words, url, text }) =>
      [inHeader(words), ...(text === undefined ? [] : [`> ${inHeader(text)}`]), url].join('\n'),
    ),
    ...(left === 0 ? [] : [words.more(left)]),
    ['-- ', words.stop, `${deskUrl}/stop?token=${token}`, words.settings, `${deskUrl}/settings/notices`].join('\n'),
  ]
  return {
    to: { name: recipient.recipientName, address: recipient.email },
    subject: only !== undefined && described.length === 1 ? only.words : words.several(described.length),
    text: `${parts.join('\n\n')}\n`,
    messageId: `<${digestOf(notices)}@${new URL(deskUrl).hostname}>`,
    headers: {
      'List-Unsubscribe': `<${deskUrl}/api/notices/stop?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function digestOf(notices: ReadNotices['notices']): string {
  const ids = notices.map(({ noticeId }) => noticeId).join(' ')
  return `notice-${createHash('sha256').update(ids).digest('hex').slice(0, 32)}`
}
