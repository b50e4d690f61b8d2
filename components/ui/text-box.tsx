'use client'
import { useId } from 'react'
import { useFormatter } from 'use-intl'

interface TextBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  rows?: number
  hint?: string | undefined
  placeholder?: string
  autoFocus?: boolean
  isRequired?: boolean
}

/** A labelled multi-line field; shows the remaining characters near the limit. */
export function TextBox({ label, value, onChange, hint, rows = 3, isRequired = false, ...rest }: TextBoxProps) {
  const format = useFormatter()
  const id = useId()
  const left = rest.maxLength - value.length
  return (
    <div className="grid gap-1.5">
      <span className="flex items-baseline gap-2">
        <label htmlFor={id} className="font-firm text-ink">
          {label}
        </label>
        {left <= rest.maxLength / 5 && <span className="ms-auto text-small text-ink-3">{format.number(left)}</span>}
      </span>
      <textarea
        {...rest}
        ref={caretToEnd}
        id={id}
        dir="auto"
        rows={rows}
        value={value}
        required={isRequired}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className="w-full resize-y rounded-2 border border-line-control bg-raised px-2 py-1.5 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0"
      />
      {hint && (
        <p id={`${id}-hint`} className="text-small text-ink-3">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Places the caret after the initial text. */
function caretToEnd(box: HTMLTextAreaElement | null): void {
  box?.setSelectionRange(box.value.length, box.value.length)
}
