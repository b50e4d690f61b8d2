'use client'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { MINUTE_MS } from '#components/i18n/span.ts'
import { useLongSpan } from '#components/i18n/use-span.ts'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { decidedOf } from './figures.tsx'
import type { BacktestState } from './use-backtest.ts'
import { useLiveTest } from './use-live-test.ts'

interface MakeLiveDialogProps {
  rule: Rule
  isPending: boolean
  failure: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/**
 * Tests a rule before it is made live, on what is pending and on past decisions, and says what it will do: a rule of the network in all
 * communities. What wasn't tested is made live only with an explicit tick.
 */
export function MakeLiveDialog({ rule, isPending, failure, onConfirm, onClose }: MakeLiveDialogProps) {
  const t = useTranslations('rules.live')
  const { name, kinds, action, mayTest } = rule
  const muteMinutes = action.muteMinutes ?? 0
  const span = useLongSpan()
  const { state, communities, isTested } = useLiveTest(rule)
  const [isTicked, setTicked] = useState(false)
  const [isTickMissed, setTickMissed] = useState(false)
  const isReady = isTested || isTicked
  const whyNot = kinds.every((kind) => kind === 'message') ? 'messagesOnly' : 'mayNotTest'

  return (
    <ActForm
      title={t('title')}
      submit={t('submit')}
      isPending={isPending || (!isReady && state.status === 'running')}
      failure={isTickMissed && !isReady ? t('tickFirst') : failure}
      onSubmit={isReady ? onConfirm : () => setTickMissed(true)}
      onClose={onClose}
    >
      <p dir="auto" className="font-firm wrap-anywhere text-ink">
        {name}
      </p>
      <p>{t('means', { act: action.type, mutes: String(muteMinutes > 0), span: span(muteMinutes * MINUTE_MS) })}</p>
      <p aria-live="polite">
        {communities !== undefined && t('ofNetwork', { count: communities })}{' '}
        {mayTest ? <Tested state={state} /> : t(whyNot)}
      </p>
      {!isTested && (
        <label className="flex min-h-6 items-center gap-2 coarse:min-h-10">
          <input
            type="checkbox"
            checked={isTicked}
            onChange={(event) => setTicked(event.target.checked)}
            className="size-3.5 accent-accent"
          />
          {t('anyway')}
        </label>
      )}
    </ActForm>
  )
}

function Tested({ state: { status, sums, error } }: { state: BacktestState }) {
  const t = useTranslations('rules.live')
  const format = useFormatter()
  const errorMessageOf = useErrorMessage()
  if (status === 'failed' || status === 'changed') return `${t('notTested')} ${errorMessageOf(error) ?? ''}`
  if (status !== 'done') return t('testing')
  if (!sums) return t('noDecisions')
  const { judged, caught } = sums.together
  return (
    <>
      {judged.pending > 0 && t('wouldCatch', { total: format.number(judged.pending), caught: caught.pending })}{' '}
      {decidedOf(judged) === 0
        ? t('noDecisions')
        : t('wouldHave', { ...caught, total: format.number(decidedOf(judged)), caught: decidedOf(caught) })}
    </>
  )
}
