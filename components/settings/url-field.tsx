'use client'
import type { ComponentProps } from 'react'
import { Field } from '#components/ui/field.tsx'

type UrlFieldProps = Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error' | 'autoFocus'> & {
  value: string
  onChange: (url: string) => void
}

/** The address of another program, which Docket calls. */
export function UrlField({ onChange, ...props }: UrlFieldProps) {
  return (
    <Field
      {...props}
      type="url"
      inputMode="url"
      required
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      maxLength={2_000}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
