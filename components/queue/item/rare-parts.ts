import { NoteList } from '#components/kit/review/note-list.tsx'
import { AuthorTreatments } from '../acts/ban/author-treatments.tsx'
import { SanctionList } from '../acts/ban/sanction-list.tsx'
import { EscalationBanner } from '../acts/escalation/escalation-banner.tsx'
import { RejectedByRulesBanner } from '../acts/reversal/rejected-by-rules-banner.tsx'
import { CoveredFiles } from './covered-files.tsx'
import { DecidedBar } from './decided-bar.tsx'
import { ItemTranslation } from './item-translation.tsx'
import { FlagList } from './reported/flag-list.tsx'
import { SameTextDecisions } from './same-text-decisions.tsx'
import { WhyFirst } from './why-first.tsx'

/** What most items and their contexts don't have: an item is open again after its decision only if somebody goes back to it. */
export const RARE_PARTS = {
  AuthorTreatments,
  CoveredFiles,
  DecidedBar,
  EscalationBanner,
  FlagList,
  ItemTranslation,
  NoteList,
  RejectedByRulesBanner,
  SameTextDecisions,
  SanctionList,
  WhyFirst,
}
