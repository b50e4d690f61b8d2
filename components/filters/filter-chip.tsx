'use client'
import type { ReactNode } from 'react'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { Floating } from '#components/ui/floating.tsx'
import { OnDemand } from '#components/ui/on-demand.tsx'

interface FilterChipProps {
  /** What is chosen here. */
  label: string
  value: string
  onRemove?: (() => void) | undefined
  removeLabel?: string
  /** Where it is chosen; a choice closes it. */
  children: (close: () => void) => ReactNode
}

/** One part of a sentence of filters, and the choice that hangs from it. */
export function FilterChip({ label, value, onRemove, removeLabel = '', children }: FilterChipProps) {
  return (
    <Chip onRemove={onRemove} removeLabel={removeLabel}>
      <OnDemand
        opens="dialog"
        button={
          <ChipButton>
            <span className="sr-only">{label}: </span>
            <bdi>{value}</bdi>
          </ChipButton>
        }
      >
        {(hanging) => (
          <Floating hanging={hanging} label={label} className="min-w-60">
            {children(hanging.onClose)}
          </Floating>
        )}
      </OnDemand>
    </Chip>
  )
}
