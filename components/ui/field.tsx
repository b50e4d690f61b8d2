'use client'
import { Eye, EyeOff } from 'lucide-react'
import { type InputHTMLAttributes, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormError } from './form-error.tsx'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  label: string
  hint?: string
  /** Why the value was rejected: shown under the field, which is then invalid. */
  error?: string | undefined
  /** As wide as a number needs. */
  isShort?: boolean
}

/** A labelled text field; secrets can be revealed. */
export function Field({ label, hint, error, type = 'text', isShort = false, ...input }: FieldProps) {
  const t = useTranslations('shell')
  const id = useId()
  const [isShown, setShown] = useState(false)
  const isSecret = type === 'password'
  const describedBy =
    [error && `${id}-error`, hint && `${id}-hint`, input['aria-describedby']].filter(Boolean).join(' ') || undefined

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-firm text-ink">
        {label}
      </label>
      <div
        className={`flex h-9 items-center gap-2 rounded-2 border border-line-control bg-raised px-2 text-ink coarse:h-11 phone:h-11 focus-within:border-focus focus-within:outline-2 focus-within:outline-focus has-aria-invalid:border-reject ${isShort ? 'w-24' : ''}`}
      >
        <input
          {...input}
          id={id}
          type={isSecret && isShown ? 'text' : type}
          aria-describedby={describedBy}
          {...(error !== undefined && { 'aria-invalid': true })}
          className="w-full min-w-0 bg-transparent outline-none placeholder:text-ink-3"
        />
        {isSecret && (
          <button
            type="button"
            aria-label={t('showPassword')}
            aria-pressed={isShown}
            onClick={() => setShown((before) => !before)}
            className="grid size-6 shrink-0 place-items-center rounded-1 text-ink-3 hover:bg-hover hover:text-ink coarse:size-10"
          >
            {isShown ? <EyeOff /> : <Eye />}
          </button>
        )}
      </div>
      {error !== undefined && <FormError id={`${id}-error`}>{error}</FormError>}
      {hint && (
        <p id={`${id}-hint`} className="text-small text-ink-3">
          {hint}
        </p>
      )}
    </div>
  )
}
