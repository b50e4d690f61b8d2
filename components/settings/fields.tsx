'use client'
import type { ComponentProps } from 'react'
import { Field } from '#components/ui/field.tsx'

const NAME_LENGTH = 100

interface NameFieldProps {
  label: string
  hint?: string
  dir?: 'auto'
  name: string
  onChange: (name: string) => void
}

/** The name of what a dialog adds: its first field, which has the focus. */
export function NameField({ name, onChange, ...field }: NameFieldProps) {
  return (
    <Field
      {...field}
      autoComplete="off"
      autoFocus
      required
      maxLength={NAME_LENGTH}
      value={name}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type UrlFieldProps = Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error' | 'autoFocus'> & {
  /** Whether it may stay empty. */
  isOptional?: boolean
  value: string
  onChange: (url: string) => void
}

/** The address of another program, which Docket calls. */
export function UrlField({ isOptional = false, onChange, ...props }: UrlFieldProps) {
  return (
    <Field
      {...props}
      type="url"
      inputMode="url"
      required={!isOptional}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      maxLength={2_000}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
