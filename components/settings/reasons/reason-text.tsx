'use client'
import { useTranslations } from 'use-intl'
import { Keycap } from '#components/ui/keycap.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'

const WITH_A_KEY = 9

/** A reason with its key, if it is one of the first nine, and its message to the author. */
export function ReasonText({ reason, number }: { reason: RejectionReason; number: number }) {
  const t = useTranslations('reasonSettings')
  return (
    <>
      <span className="grid w-7 shrink-0 place-items-center">
        {number <= WITH_A_KEY ? (
          <Keycap>{String(number)}</Keycap>
        ) : (
          <span className="text-small text-ink-3" title={t('noKey')}>
            {number}
          </span>
        )}
      </span>
      <span className="min-w-40 flex-1 wrap-anywhere">
        <span dir="auto" className="block font-firm text-ink">
          {reason.label}
        </span>
        <span dir="auto" className={`block ${reason.textToAuthor ? '' : 'text-ink-3'}`}>
          {reason.textToAuthor ?? t('noText')}
        </span>
      </span>
    </>
  )
}
