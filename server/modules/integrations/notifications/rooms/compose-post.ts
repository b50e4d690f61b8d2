import { describeNotification } from '#server/modules/integrations/notifications/describe-notification.ts'
import { inHeader } from '#server/modules/integrations/notifications/mail/send-mail.ts'
import type { DueNotification } from '#server/modules/integrations/notifications/read-notifications.ts'
import type { RoomFormat, RoomLanguage } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { WORDS } from '#server/modules/integrations/notifications/words.ts'

/** Discord takes 2,000 characters; more lines than these nobody reads. */
const POST_LENGTH = 1_900
const WORDS_LENGTH = 240

/** One line of a post: what it says, where that leads, and the beginning of what was written. Nothing of it is trusted. */
interface Line {
  words: string
  url: string
  text?: string | undefined
}

/**
 * The body of a post to an incoming webhook. Names and texts are written so that the chat reads no mention, link or format in them: the only links
 * are those of the desk.
 */
export function composePost(
  format: RoomFormat,
  lines: Line[],
  { more, deskUrl }: { more: (count: number) => string; deskUrl: string },
) {
  const written = lines.map((line) => FORMATS[format].line(line))
  const shown: string[] = []
  let length = 0
  for (const line of written) {
    length += line.length + 1
    if (length > POST_LENGTH) break
    shown.push(line)
  }
  const left = written.length - shown.length
  const rest = left === 0 ? [] : [FORMATS[format].line({ words: more(left), url: `${deskUrl}/queue` })]
  return FORMATS[format].body([...shown, ...rest].join('\n'))
}

/** A post with these notifications. */
export function composeNotifications(
  notifications: DueNotification[],
  { format, language, deskUrl }: { format: RoomFormat; language: RoomLanguage; deskUrl: string },
) {
  const lines = notifications.map((notification) =>
    describeNotification(notification, { language, isRoom: true }, deskUrl),
  )
  return composePost(format, lines, { more: WORDS[language].more, deskUrl })
}

interface Format {
  line: (line: Line) => string
  body: (text: string) => object
}

const FORMATS: Record<RoomFormat, Format> = {
  // Mattermost and Rocket.Chat read it, too.
  slack: {
    line: ({ words, url, text }) =>
      `• <${inSlack(url)}|${inSlack(plain(words))}>${text === undefined ? '' : `\n> \`${inSlack(plain(text))}\``}`,
    body: (text) => ({
      text,
      mrkdwn: true,
      link_names: false,
      parse: 'none',
      unfurl_links: false,
      unfurl_media: false,
    }),
  },
  discord: {
    // In angle brackets, a link isn't unfurled.
    line: ({ words, url, text }) =>
      `• ${inDiscord(plain(words))}\n<${url}>${text === undefined ? '' : `\n> \`${plain(text)}\``}`,
    body: (content) => ({ content, allowed_mentions: { parse: [] } }),
  },
}

/** Between two characters, so that together they mean nothing. */
const APART = '\u200b'
/** Signs that formats are made of, and signs that look like them. */
const LOOK_ALIKES: Record<string, string> = { '`': '\u02cb', '|': '\u00a6', '*': '\u2217', _: '\u02cd', '~': '\u223c' }

/** One line in which no name is mentioned, nothing is formatted, and no host or address becomes a link. */
function plain(text: string): string {
  return inHeader(inHeader(text).slice(0, WORDS_LENGTH))
    .replaceAll(/[`|*_~]/g, (sign) => LOOK_ALIKES[sign] ?? '')
    .replaceAll(/[@#:.](?=\S)/g, (sign) => `${sign}${APART}`)
}

/** These three are all that Slack wants escaped. */
const inSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const inDiscord = (text: string) => text.replaceAll(/[\\<>[\](){}#+\-!]/g, (sign) => `\\${sign}`)
