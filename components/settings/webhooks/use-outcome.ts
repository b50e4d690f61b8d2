'use client'
import { useTranslations } from 'use-intl'
import type { TryProblem } from '#server/modules/integrations/webhooks/schema.ts'

interface Outcome {
  status?: number
  problem?: TryProblem
}

/** The outcome of an attempt, in a few words. */
export function useOutcome(): (outcome: Outcome) => string {
  const t = useTranslations('webhooks')
  return ({ status = 0, problem }) =>
    problem === undefined
      ? t('answered', { status: String(status) })
      : t(`problems.${problem}`, { status: String(status) })
}
