import { lazyPart } from '#components/ui/lazy-part.tsx'

const PLAIN = { isPlain: true }
// One script for all: each script of its own makes the page's first one longer.
const load = () => import('./rare-parts.ts').then(({ RARE_PARTS }) => RARE_PARTS)

export const AuthorTreatments = lazyPart(() => load().then((parts) => parts.AuthorTreatments), PLAIN)
export const CoveredFiles = lazyPart(() => load().then((parts) => parts.CoveredFiles), PLAIN)
export const DecidedBar = lazyPart(() => load().then((parts) => parts.DecidedBar), PLAIN)
export const EscalationBanner = lazyPart(() => load().then((parts) => parts.EscalationBanner))
export const FlagList = lazyPart(() => load().then((parts) => parts.FlagList), PLAIN)
export const ItemTranslation = lazyPart(() => load().then((parts) => parts.ItemTranslation), PLAIN)
export const NoteList = lazyPart(() => load().then((parts) => parts.NoteList))
export const RejectedByRulesBanner = lazyPart(() => load().then((parts) => parts.RejectedByRulesBanner))
export const SameTextDecisions = lazyPart(() => load().then((parts) => parts.SameTextDecisions), PLAIN)
export const SanctionList = lazyPart(() => load().then((parts) => parts.SanctionList), PLAIN)
export const WhyFirst = lazyPart(() => load().then((parts) => parts.WhyFirst), PLAIN)
