import {
  COUNTED,
  type DueNotification,
  type Recipient,
} from '#server/modules/integrations/notifications/read-notifications.ts'
import { WORDS } from '#server/modules/integrations/notifications/words.ts'

/** A notification in words, with the address of exactly what it is about. */
export interface DescribedNotification {
  words: string
  url: string
  /** The beginning of what was written. */
  text?: string | undefined
}

/** Who reads a notification: a person, or a chat room. */
interface Reader extends Pick<Recipient, 'language'> {
  isRoom?: boolean
}

/** Describes a notification in the language of who reads it. */
export function describeNotification(
  notification: DueNotification,
  reader: Reader,
  deskUrl: string,
): DescribedNotification {
  return { words: wordsOf(notification, reader), url: `${deskUrl}${pathOf(notification)}`, text: notification.text }
}

function wordsOf(
  { topic, subjectId, place, by, name, count, isOff }: DueNotification,
  { language, isRoom = false }: Reader,
): string {
  const words = WORDS[language]
  switch (topic) {
    case 'escalated':
      return words[isRoom ? 'escalatedInRoom' : 'escalated'](place, by)
    case 'reports':
      return words.reports(place, count ?? 0)
    case 'overdue':
      return words.overdue(place ?? subjectId, count === COUNTED ? `${COUNTED}+` : String(count ?? 0))
    case 'rules':
      return words.rules(name ?? subjectId)
    case 'webhooks':
      return words[isOff ? 'off' : 'failing'](URL.parse(name ?? '')?.host ?? subjectId)
  }
}

/** The path of the item, view or page. */
function pathOf({ topic, subjectType, subjectId, minutes }: DueNotification): string {
  const item = `${subjectType}:${subjectId}`
  switch (topic) {
    case 'escalated':
      return `/queue?${new URLSearchParams({ view: 'escalated', item })}`
    case 'reports':
      return `/queue?${new URLSearchParams({ view: 'reported', item })}`
    case 'overdue':
      return `/queue?${new URLSearchParams({ communityId: subjectId, heldForMinutes: String(minutes ?? 1), order: 'oldest' })}`
    case 'rules':
      return `/settings/rules/${encodeURIComponent(subjectId)}`
    case 'webhooks':
      return '/settings/webhooks'
  }
}
