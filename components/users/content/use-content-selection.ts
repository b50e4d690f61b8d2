'use client'
import { type RefObject, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { keyOf } from '#components/kit/bulks/to-seen.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { ContentRecord } from '#server/modules/people/schema.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { AskedDecision } from './use-decision.ts'

interface SelectionInput {
  /** What is loaded. */
  items: ContentRecord[]
  /** What the table is in. */
  table: RefObject<HTMLElement | null>
  isBlocked: boolean
  onDecide: (asked: AskedDecision) => void
}

/** The entries that are selected, also those of other pages, and the keys that move along them, select and decide, as in the queue. */
export function useContentSelection({ items, table, isBlocked, onDecide }: SelectionInput) {
  const t = useTranslations('bulk')
  const announce = useAnnounce()
  const [chosen, setChosen] = useState<ReadonlyMap<string, ContentRecord>>(new Map())
  const selectable = items.filter(({ allowed }) => allowed.length > 0)
  const selected = upToDate(chosen, items)

  function choose(next: ReadonlyMap<string, ContentRecord>): void {
    setChosen(next)
    announce(t('selected', { count: next.size }))
  }

  /** Selects exactly these of what is loaded; those of other pages stay. */
  function chooseLoaded(keys: string[]): void {
    const loaded = new Set(items.map(keyOf))
    const others = [...selected].filter(([key]) => !loaded.has(key))
    const wanted = selectable.filter((item) => keys.includes(keyOf(item)))
    choose(new Map([...others, ...wanted.map((item) => [keyOf(item), item] as const)]))
  }

  const rows = () => [...(table.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])]
  const currentIndex = () => rows().findIndex((row) => row.contains(document.activeElement))

  function move(by: 1 | -1): number {
    const next = Math.min(Math.max(currentIndex() + by, 0), items.length - 1)
    rows()[next]?.focus()
    return next
  }

  function toggle(): void {
    const item = items[currentIndex()]
    if (!item) return
    const key = keyOf(item)
    const loaded = items.map(keyOf).filter((one) => selected.has(one))
    if (item.allowed.length > 0)
      chooseLoaded(selected.has(key) ? loaded.filter((one) => one !== key) : [...loaded, key])
  }

  /** Selects the current entry, and the one it moves to. */
  function extend(by: 1 | -1): void {
    const from = currentIndex()
    const to = move(by)
    const keys = [items[from], items[to]].flatMap((item) => (item ? [keyOf(item)] : []))
    chooseLoaded([...items.map(keyOf).filter((one) => selected.has(one)), ...keys])
  }

  const clear = () => setChosen(new Map())

  /** Asks about what is selected, else about the current entry. */
  function decide(outcome: HeldOutcome): void {
    const current = items[currentIndex()]
    const entries = selected.size > 0 ? [...selected.values()] : [current].flatMap((item) => item ?? [])
    const concerned = entries.filter(({ allowed }) =>
      outcome === 'approved' ? allowed.includes('approved') : allowed.length > 0,
    )
    if (concerned.length > 0) onDecide({ outcome, entries: concerned, onDecided: clear })
  }

  const keys = {
    next: () => move(1),
    previous: () => move(-1),
    choose: toggle,
    chooseNext: () => extend(1),
    choosePrevious: () => extend(-1),
    chooseAll: () => chooseLoaded(selectable.map(keyOf)),
    approve: () => decide('approved'),
    reject: () => decide('rejected'),
    ...(selected.size > 0 && { back: () => choose(new Map()) }),
  }
  useActs(isBlocked || selectable.length === 0 ? {} : keys)

  return {
    selected,
    /** Whether anything that is loaded can be selected. */
    isOffered: selectable.length > 0,
    chooseLoaded,
    decide,
    clear,
  }
}
export type ContentSelection = ReturnType<typeof useContentSelection>

/** The selected entries as they were read last, without those that can no longer be decided. */
function upToDate(
  chosen: ReadonlyMap<string, ContentRecord>,
  items: ContentRecord[],
): ReadonlyMap<string, ContentRecord> {
  const loaded = new Map(items.map((item) => [keyOf(item), item]))
  const now = [...chosen].map(([key, item]) => [key, loaded.get(key) ?? item] as const)
  return new Map(now.filter(([, { allowed }]) => allowed.length > 0))
}
