'use client'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { NativeButton, type NativeButtonProps } from './native-button.tsx'

/** One filter of the sentence: the label opens its editor, the cross removes it. */
export function Chip({
  children,
  onRemove,
  removeLabel,
}: {
  children: ReactNode
  onRemove?: (() => void) | undefined
  removeLabel?: string
}) {
  return (
    <span className="inline-flex min-h-6 max-w-full items-center rounded-2 bg-sunken font-firm text-ink shadow-[inset_0_0_0_1px_var(--line-strong)] coarse:min-h-9 forced-colors:border">
      {children}
      {onRemove && (
        <NativeButton
          aria-label={removeLabel ?? ''}
          onPress={onRemove}
          className="grid size-6 shrink-0 place-items-center rounded-2 text-ink-2 hover:bg-hover hover:text-ink coarse:size-9"
        >
          <X className="size-3.5" />
        </NativeButton>
      )}
    </span>
  )
}

/** A button inside a chip. */
export function ChipButton(props: Omit<NativeButtonProps, 'className'>) {
  return (
    <NativeButton {...props} className="min-h-6 max-w-64 min-w-0 truncate rounded-2 px-2 last:pe-2 coarse:min-h-9" />
  )
}

/** The dashed chip that adds a filter. */
export function AddChip(props: Omit<NativeButtonProps, 'className'>) {
  return (
    <NativeButton
      {...props}
      className="inline-flex h-6 items-center gap-1 rounded-2 border border-dashed border-line-control ps-1.5 pe-2 whitespace-nowrap text-ink-2 hover:bg-hover coarse:h-9"
    />
  )
}
