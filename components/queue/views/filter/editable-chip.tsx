'use client'
import { type ReactNode, useRef } from 'react'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { AddChip, Chip, ChipButton } from '#components/ui/chip.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Edited, FilterEditing } from './filter-editing.ts'

const FilterPopover = lazyPart(() => import('./filter-popover.tsx').then(({ FilterPopover }) => FilterPopover), {
  onFailed: ({ editing }) => editing.close(),
})

interface EditableChipProps {
  /** The editor it opens; undefined for filters without a value. */
  edits: Edited | undefined
  editing: FilterEditing
  value?: string
  onRemove?: (() => void) | undefined
  removeLabel?: string | undefined
  /** Whether this chip adds a filter; its children are the label. */
  isAdding?: boolean
  children?: ReactNode
}

/** One filter of the sentence, with its popover, which is loaded when it opens. */
export function EditableChip({
  edits,
  editing,
  value,
  onRemove,
  removeLabel,
  isAdding = false,
  children,
}: EditableChipProps) {
  const shortcut = useShortcut('filters')
  const triggerRef = useRef<HTMLButtonElement>(null)
  const isOpen = edits !== undefined && editing.edited === edits && (isAdding || !editing.isAdding)
  const button = {
    ref: triggerRef,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onPress: () => edits && editing.edit(isAdding ? 'add' : edits),
  } as const

  return (
    <>
      {isAdding && (
        <AddChip {...button} aria-keyshortcuts={shortcut}>
          {children}
        </AddChip>
      )}
      {!isAdding && (
        <Chip onRemove={onRemove} removeLabel={removeLabel ?? ''}>
          {edits ? (
            <ChipButton {...button}>
              <bdi>{value}</bdi>
            </ChipButton>
          ) : (
            <bdi className="max-w-64 truncate ps-2">{value}</bdi>
          )}
        </Chip>
      )}
      {isOpen && <FilterPopover edited={edits} editing={editing} triggerRef={triggerRef} />}
    </>
  )
}
