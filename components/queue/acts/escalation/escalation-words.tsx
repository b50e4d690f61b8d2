'use client'
import { useTranslations } from 'use-intl'
import { asSentence } from '#components/i18n/as-sentence.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { Escalated } from '#server/modules/review/queue/schema.ts'

/** Who escalated the item, why, and to whom. */
export function EscalationWords({ escalation: { by, at, note, handedTo } }: { escalation: Escalated }) {
  const t = useTranslations('escalation')
  const times = useTimes()
  return (
    <>
      {t.rich('by', { b: (text) => <b>{text}</b>, who: by.displayName, time: times.brief(at) })}{' '}
      <q className="text-ink" dir="auto">
        {asSentence(note)}
      </q>{' '}
      {handedTo ? t.rich('for', { b: (text) => <b>{text}</b>, who: handedTo.displayName }) : t('forAnyone')}
    </>
  )
}
