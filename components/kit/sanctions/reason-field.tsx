'use client'
import { useTranslations } from 'use-intl'
import { Field } from '#components/ui/field.tsx'

const REASON_LENGTH = 500

interface ReasonFieldProps {
  /** Where the form asks for another reason too. */
  label?: string
  reason: string
  onChange: (reason: string) => void
}

/** The reason, for colleagues; optional. */
export function ReasonField({ label, reason, onChange }: ReasonFieldProps) {
  const t = useTranslations('ban')
  return (
    <Field
      label={label ?? t('reason')}
      hint={t('reasonHint')}
      dir="auto"
      value={reason}
      maxLength={REASON_LENGTH}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
