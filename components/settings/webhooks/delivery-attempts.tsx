'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { DeliveryAttempt } from '#server/modules/integrations/webhooks/schema.ts'
import { indentJson } from './indent-json.ts'
import { useOutcome } from './use-outcome.ts'

/** The attempts, latest first: when, the outcome, the duration, and the response. */
export function DeliveryAttempts({ made }: { made: DeliveryAttempt[] }) {
  const t = useTranslations('webhooks')
  const format = useFormatter()
  const outcomeOf = useOutcome()
  if (made.length === 0) return <p className="mt-1">{t('noTries')}</p>
  return (
    <ol>
      {made.map((one) => (
        <li key={one.number} className="border-b border-line py-2 last:border-b-0">
          <p className="flex flex-wrap gap-x-3">
            <span className="tabular-nums text-ink-3">{t('try', { number: one.number })}</span>
            <span className={`font-firm ${one.problem ? 'text-reject' : 'text-ink'}`}>
              {one.durationMs === undefined ? t('underWay') : outcomeOf(one)}
            </span>
            {one.durationMs !== undefined && <span>{t('took', { ms: one.durationMs })}</span>}
            <time dateTime={one.startedAt} className="ms-auto text-ink-3">
              {format.dateTime(new Date(one.startedAt), { dateStyle: 'medium', timeStyle: 'medium' })}
            </time>
          </p>
          {one.answer && (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
              tabIndex={0}
              dir="auto"
              className="mt-1 max-h-40 overflow-auto rounded-2 bg-sunken p-2 font-code text-small whitespace-pre-wrap wrap-anywhere text-ink forced-colors:border"
            >
              {indentJson(one.answer)}
            </pre>
          )}
        </li>
      ))}
    </ol>
  )
}
