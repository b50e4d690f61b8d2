'use client'
import { type Ref, useId } from 'react'

interface SelectProps<Id extends string> {
  label: string
  /** Whether the label is only there for screen readers. */
  isLabelHidden?: boolean
  /** Whether it is a field of a form, rather than a part of one. */
  isField?: boolean
  options: readonly { id: Id; label: string }[]
  value: Id
  onChange: (id: Id) => void
  ref?: Ref<HTMLSelectElement> | undefined
  autoFocus?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** Chooses one of a few, with the browser's own menu. */
export function Select<Id extends string>({
  label,
  isLabelHidden,
  isField = false,
  options,
  value,
  onChange,
  ...rest
}: SelectProps<Id>) {
  const id = useId()
  const shownLook = isField ? 'font-firm text-ink' : 'text-small text-ink-3'
  const labelLook = isLabelHidden ? 'sr-only' : shownLook
  return (
    <span className={`grid min-w-0 ${isField ? 'gap-1.5' : 'gap-0.5'}`}>
      <label htmlFor={id} className={labelLook}>
        {label}
      </label>
      <select
        {...rest}
        id={id}
        value={value}
        // Safe: the value is that of one of the options.
        onChange={(event) => onChange(event.target.value as Id)}
        className="h-control max-w-full min-w-0 rounded-2 border border-line-control bg-raised px-1.5 text-ink coarse:h-10"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
