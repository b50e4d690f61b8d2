'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { QueueSearch } from '#components/kit/addresses/queue-search.ts'
import { useDayRange } from '#components/kit/filters/use-day-range.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { Edited } from './filter-editing.ts'
import { useHeldFor } from './use-held-for.ts'
import type { Names } from './use-names.ts'

/** One filter in words. */
export interface FilterPart {
  id: string
  /** The words before it in the sentence. */
  lead?: string
  value: string
  /** The editor that changes it; absent if there is nothing to select. */
  edits?: Edited
  /** The search change that removes it; absent if it belongs to the previous filter. */
  drop?: Partial<QueueSearch>
  dropLabel?: string
}

/** The filters besides the community, in the order of the sentence. */
export function useFilterParts(names: Names): FilterPart[] {
  const t = useTranslations('filters')
  const { search, zone, ownZone } = useQueueFilter()
  const range = useDayRange(search)
  const heldFor = useHeldFor()
  const facets = useFacetParts(names)
  const { kind, postId, authorId, text, hasMedia, isFlagged, heldForMinutes, heldUnderMinutes } = search
  const parts: FilterPart[] = []
  const add = (part: FilterPart) => parts.push({ dropLabel: t('drop', { what: part.value }), ...part })

  if (kind) add({ id: 'kind', value: t(`kinds.${kind}`), edits: 'kind', drop: { kind: null } })
  if (postId) add({ id: 'post', lead: t('on'), value: names.post ?? postId, drop: { postId: null } })
  if (authorId) {
    const name = names.author ?? authorId
    add({ id: 'author', lead: t('by'), value: name, edits: 'author', drop: { authorId: null } })
  }
  if (range) {
    const drop = { startDate: null, endDate: null, timeZone: null, period: null }
    add({ id: 'written', lead: t(range.words), value: range.days, edits: 'written', drop, dropLabel: t('anyTime') })
    const backToOwn = zone === ownZone ? {} : { drop: { timeZone: null }, dropLabel: t('ownZone') }
    add({ id: 'zone', lead: t('inZone'), value: zone, edits: 'zone', ...backToOwn })
  }
  if (text) add({ id: 'text', lead: t('saying'), value: t('quoted', { text }), edits: 'text', drop: { text: null } })
  if (hasMedia) add({ id: 'media', value: t('withMedia'), drop: { hasMedia: null } })
  if (isFlagged) add({ id: 'flagged', value: t('flagged'), drop: { isFlagged: null } })
  if (heldForMinutes) {
    const drop = { heldForMinutes: null }
    add({ id: 'heldFor', lead: t('heldLonger'), value: heldFor(heldForMinutes), edits: 'heldFor', drop })
  }
  if (heldUnderMinutes) {
    const drop = { heldUnderMinutes: null }
    add({ id: 'heldUnder', lead: t('heldShorter'), value: heldFor(heldUnderMinutes), drop })
  }
  facets.forEach(add)
  return parts
}

/** The queue that the items are in, the rule that holds them, its label, and the signal they have a score of. */
function useFacetParts(names: Names): FilterPart[] {
  const t = useTranslations('filters')
  const scored = useScored()
  const { search } = useQueueFilter()
  const { queueId, ruleId, label, signal } = search
  const parts: FilterPart[] = []
  if (queueId) parts.push({ id: 'queue', lead: t('inQueue'), value: names.queue ?? queueId, drop: { queueId: null } })
  if (ruleId) {
    const value = t('quoted', { text: names.rule ?? ruleId })
    parts.push({ id: 'rule', lead: t('heldBy'), value, edits: 'rule', drop: { ruleId: null } })
  }
  if (label) {
    const value = t('quoted', { text: label })
    parts.push({ id: 'label', lead: t('labelled'), value, edits: 'label', drop: { label: null } })
  }
  if (signal) {
    const drop = { signal: null, scoreFrom: null, scoreUnder: null }
    parts.push({ id: 'signal', lead: t('withSignal'), value: scored({ ...search, signal }), edits: 'signal', drop })
  }
  return parts
}

const HUNDREDTHS = { minimumFractionDigits: 2 }

/** A signal and the range of its scores: "toxicity at least 0.80". */
function useScored(): (range: Pick<QueueSearch, 'scoreFrom' | 'scoreUnder'> & { signal: string }) => string {
  const t = useTranslations('filters.scores')
  const format = useFormatter()
  return ({ signal, scoreFrom, scoreUnder }) => {
    const [from, under] = [scoreFrom, scoreUnder].map((score) => score && format.number(score, HUNDREDTHS))
    if (from && under) return t('between', { signal, from, under })
    if (from) return t('from', { signal, from })
    return under ? t('under', { signal, under }) : signal
  }
}
