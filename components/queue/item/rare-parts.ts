import { NoteList } from '#components/kit/review/note-list.tsx'
import { AuthorTreatments } from '../acts/ban/author-treatments.tsx'
import { SanctionList } from '../acts/ban/sanction-list.tsx'
import { CoveredFiles } from './covered-files.tsx'
import { ItemTranslation } from './item-translation.tsx'
import { FlagList } from './reported/flag-list.tsx'
import { SameTextDecisions } from './same-text-decisions.tsx'
import { WhyFirst } from './why-first.tsx'

/** What most items and their contexts don't have. */
export const RARE_PARTS = {
  AuthorTreatments,
  CoveredFiles,
  FlagList,
  ItemTranslation,
  NoteList,
  SameTextDecisions,
  SanctionList,
  WhyFirst,
}
