import type { SampleFlag } from '#server/modules/integrations/imports/load-sample.ts'
import type { Person } from './people.ts'

interface Flagged {
  by: Person
  minutesAgo: number
  what: SampleFlag['subject']
  reason: string
  detail?: string
}

const BOAT_INSURANCE = { subjectType: 'message', subjectId: 'harbour-watch-message-14' } as const
const BEST_DEALS = { subjectType: 'user', subjectId: 'best-deals-24' } as const

/** Reports by members that no moderator has reviewed yet. */
export const FLAGS: Flagged[] = [
  { by: 'tane-parata', minutesAgo: 291, what: BOAT_INSURANCE, reason: 'Spam or scams', detail: 'Not this again.' },
  { by: 'gwen-pritchard', minutesAgo: 288, what: BOAT_INSURANCE, reason: 'Spam or scams' },
  {
    by: 'gwen-pritchard',
    minutesAgo: 284,
    what: BEST_DEALS,
    reason: 'Spam or scams',
    detail: 'Posts nothing but these links, in every community I am in.',
  },
  { by: 'hana-novakova', minutesAgo: 75, what: BEST_DEALS, reason: 'Spam or scams' },
  {
    by: 'isla-mackay',
    minutesAgo: 52,
    what: { subjectType: 'comment', subjectId: 'harbour-town-ferry-comment-13' },
    reason: 'Others',
    detail: 'This is about the ticket machine, not the ferry. Can it move?',
  },
]
