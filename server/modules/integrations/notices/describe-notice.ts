import { COUNTED, type DueNotice, type Recipient } from '#server/modules/integrations/notices/read-notices.ts'
import { WORDS } from '#server/modules/integrations/notices/words.ts'

/** A notice in words, with the address of exactly what it is about. */
export interface DescribedNotice {
  words: string
  url: string
  /** The beginning of what was written. */
  text?: string | undefined
}

/** Describes a notice in the person's language. */
export function describeNotice(
  notice: DueNotice,
  { language }: Pick<Recipient, 'language'>,
  deskUrl: string,
): DescribedNotice {
  return { words: wordsOf(notice, language), url: `${deskUrl}${pathOf(notice)}`, text: notice.text }
}

function wordsOf(
  { topic, subjectId, place, by, name, count, isOff }: DueNotice,
  language: Recipient['language'],
): string {
  const words = WORDS[language]
  switch (topic) {
    case 'escalated':
      return words.escalated(place, by)
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
function pathOf({ topic, subjectType, subjectId, minutes }: DueNotice): string {
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
