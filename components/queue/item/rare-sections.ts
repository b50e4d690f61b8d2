import { NoteList } from '#components/kit/review/note-list.tsx'
import { AuthorTreatments } from '../acts/ban/author-treatments.tsx'
import { SanctionList } from '../acts/ban/sanction-list.tsx'
import { FlagList } from './reported/flag-list.tsx'
import { SameTextDecisions } from './same-text-decisions.tsx'
import { WhyFirst } from './why-first.tsx'

/** Sections of the context that most items don't have. */
export const RARE_SECTIONS = { AuthorTreatments, FlagList, NoteList, SameTextDecisions, SanctionList, WhyFirst }
