'use client'
import type { ReactNode } from 'react'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'

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
          <ChipButton>
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
