import { lazyPart } from '#components/ui/lazy-part.tsx'

const PLAIN = { isPlain: true }
// One script for all: each script of its own makes the page's first one longer.
const load = () => import('./rare-sections.ts').then(({ RARE_SECTIONS }) => RARE_SECTIONS)

export const AuthorTreatments = lazyPart(() => load().then((sections) => sections.AuthorTreatments), PLAIN)
export const FlagList = lazyPart(() => load().then((sections) => sections.FlagList), PLAIN)
export const NoteList = lazyPart(() => load().then((sections) => sections.NoteList))
export const SameTextDecisions = lazyPart(() => load().then((sections) => sections.SameTextDecisions), PLAIN)
export const SanctionList = lazyPart(() => load().then((sections) => sections.SanctionList), PLAIN)
export const WhyFirst = lazyPart(() => load().then((sections) => sections.WhyFirst), PLAIN)
