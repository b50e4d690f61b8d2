'use client'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import { ReasonText } from './reason-text.tsx'

interface ReasonListProps {
  reasons: RejectionReason[]
  onChange: (reason: RejectionReason) => void
  onRetire: (reason: RejectionReason) => void
}

/** The reasons in order, each with its key. */
export function ReasonList({ reasons, onChange, onRetire }: ReasonListProps) {
  const t = useTranslations('reasonSettings')
  return (
    <ol aria-label={t('title')} className="mt-4 border-t border-line-strong">
      {reasons.map((reason, index) => (
        <li key={reason.reasonId} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
          <ReasonText reason={reason} number={index + 1} />
          <span className="flex gap-1.5">
            <Button aria-label={t('changeOf', { label: reason.label })} onPress={() => onChange(reason)}>
              {t('change')}
            </Button>
            <Button aria-label={t('retireOf', { label: reason.label })} onPress={() => onRetire(reason)}>
              {t('retire')}
            </Button>
          </span>
        </li>
      ))}
    </ol>
  )
}
