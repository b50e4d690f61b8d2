'use client'
import { Check, CircleAlert } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ExampleAnswer } from '#server/modules/integrations/classifiers/schema.ts'
import { useProblem } from './use-problem.ts'

/** What a classifier answered to an example. */
export function ExampleLine({ answer: { problem, status, durationMs, signals } }: { answer: ExampleAnswer }) {
  const t = useTranslations('classifiers')
  const format = useFormatter()
  const problemOf = useProblem()
  return (
    <div className="mt-2">
      <p className="flex flex-wrap items-center gap-1.5">
        <span className={`flex items-center gap-1 font-firm ${problem ? 'text-reject' : 'text-approve'}`}>
          {problem ? <CircleAlert /> : <Check />}
          {problem ? problemOf({ problem, ...(status !== undefined && { status }) }) : t('valid')}
        </span>
        {t('took', { ms: durationMs })}
      </p>
      {!problem && (
        <p className="wrap-anywhere">
          {signals.length === 0
            ? t('noSignals')
            : format.list(
                signals.map(({ name, score }) => t('signal', { name, score: format.number(score) })),
                { type: 'unit' },
              )}
        </p>
      )}
    </div>
  )
}
