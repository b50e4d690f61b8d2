'use client'
import { useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { decidedOf } from './backtest-figures.tsx'
import { type BacktestState, useBacktest } from './use-backtest.ts'

interface MakeLiveDialogProps {
  rule: Rule
  isPending: boolean
  failure: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Tests a rule on what is pending in its community and on its past decisions, and says what it will do, before it is made live. */
export function MakeLiveDialog({ rule, isPending, failure, onConfirm, onClose }: MakeLiveDialogProps) {
  const t = useTranslations('rules.live')
  const { ruleId, name, communityId, action } = rule
  const { state, start } = useBacktest(() => {})
  const begin = useRef(start)
  useEffect(() => {
    if (communityId !== undefined) void begin.current({ ruleIds: [ruleId], samples: 0, communityId })
  }, [ruleId, communityId])

  return (
    <ActForm
      title={t('title')}
      submit={t('submit')}
      isPending={isPending || state.status === 'running'}
      failure={failure}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      <p dir="auto" className="font-firm wrap-anywhere text-ink">
        {name}
      </p>
      <p>{t('means', { act: action.type, minutes: action.muteMinutes ?? 0 })}</p>
      <p aria-live="polite">{communityId ? <Tested state={state} /> : t('ofNetwork')}</p>
    </ActForm>
  )
}

function Tested({ state: { status, sums, error } }: { state: BacktestState }) {
  const t = useTranslations('rules.live')
  const format = useFormatter()
  const errorMessageOf = useErrorMessage()
  if (status === 'failed' || status === 'changed') return errorMessageOf(error) ?? t('notTested')
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
