'use client'
import type { ReactNode } from 'react'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import { LazySearchList } from '#components/ui/lazy-search-list.tsx'

const Popover = lazyPart(() => import('#components/ui/popover.tsx').then(({ Popover }) => Popover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})
/** What is typed at once, before they are there, would be lost. */
const loadAhead = () => void Promise.all([Popover.preload(), LazySearchList.preload()]).catch(() => undefined)

interface FilterChipProps {
  /** The accessible name of the filter. */
  label: string
  value: string
  onRemove?: (() => void) | undefined
  removeLabel?: string
  /** The editor; calling `close` closes it. */
  children: (close: () => void) => ReactNode
}

/** One filter of a sentence, with its popover. */
export function FilterChip({ label, value, onRemove, removeLabel = '', children }: FilterChipProps) {
  return (
    <Chip onRemove={onRemove} removeLabel={removeLabel}>
      <LazyPopover
        opens="dialog"
        button={
          <ChipButton onPointerEnter={loadAhead} onFocus={loadAhead}>
            <span className="sr-only">{label}: </span>
            <bdi>{value}</bdi>
          </ChipButton>
        }
      >
        {(trigger) => (
          <Popover trigger={trigger} label={label} className="min-w-60">
            {children(trigger.onClose)}
          </Popover>
        )}
      </LazyPopover>
    </Chip>
  )
}
