'use client'
import { useTranslations } from 'use-intl'
import { Field } from '#components/ui/field.tsx'

const REASON_LENGTH = 500

/** The reason, for colleagues; optional. */
export function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const t = useTranslations('ban')
  return (
    <Field
      label={t('reason')}
      hint={t('reasonHint')}
      dir="auto"
      value={reason}
      maxLength={REASON_LENGTH}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
