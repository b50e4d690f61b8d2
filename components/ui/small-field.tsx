'use client'
import { type InputHTMLAttributes, useId } from 'react'

interface SmallFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  label: string
}

/** A field with a small label, for popovers. */
export function SmallField({ label, ...input }: SmallFieldProps) {
  const id = useId()
  return (
    <span className="grid min-w-0 gap-0.5">
      <label htmlFor={id} className="text-small text-ink-3">
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="h-control min-w-0 rounded-2 border border-line-control bg-raised px-1.5 text-ink"
      />
    </span>
  )
}
