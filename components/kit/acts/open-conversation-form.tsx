'use client'
import { Lock } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { useErrorMessage } from './use-error-message.ts'

const REASON_LENGTH = 250

interface OpenConversationFormProps {
  isPending: boolean
  error: unknown
  onOpen: (reason: string) => void
}

/** A conversation stays closed until the person gives a reason for opening it. */
export function OpenConversationForm({ isPending, error, onOpen }: OpenConversationFormProps) {
  const t = useTranslations('reported.conversation')
  const errorMessageOf = useErrorMessage()
  const [reason, setReason] = useState('')
  const failureId = useId()
  const failure = errorMessageOf(error)

  function open(event: FormEvent): void {
    event.preventDefault()
    if (reason.trim() !== '') onOpen(reason)
  }
  return (
    <form
      onSubmit={open}
      className="grid max-w-110 gap-3.5 rounded-2 border border-line-strong px-3 py-2.5 font-desk text-base whitespace-normal"
    >
      <p className="flex items-center gap-3">
        <span className="hatched grid h-8 w-14 shrink-0 place-items-center rounded-1 text-ink-2 forced-color-adjust-none">
          <Lock />
        </span>
        <span className="min-w-0 flex-1 text-ink">{t('closed')}</span>
      </p>
      <Field
        label={t('reason')}
        hint={t('hint')}
        dir="auto"
        value={reason}
        maxLength={REASON_LENGTH}
        aria-describedby={failure && failureId}
        onChange={(event) => setReason(event.target.value)}
      />
      {failure && <FormError id={failureId}>{failure}</FormError>}
      <Button type="submit" className="justify-self-start" isDisabled={isPending || reason.trim() === ''}>
        {t('open')}
      </Button>
    </form>
  )
}
