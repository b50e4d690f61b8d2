'use client'
import { useTranslations } from 'use-intl'
import type { AskProblem } from '#server/modules/integrations/classifiers/schema.ts'
import { useOutcome } from '../webhooks/use-outcome.ts'

/** Why a request failed, in a few words; most reasons are those of webhooks. */
export function useProblem(): (failure: { problem: AskProblem; status?: number }) => string {
  const t = useTranslations('classifiers.problems')
  const outcomeOf = useOutcome()
  return ({ problem, ...rest }) =>
    problem === 'timeout' || problem === 'answer' || problem === 'secret' ? t(problem) : outcomeOf({ problem, ...rest })
}
