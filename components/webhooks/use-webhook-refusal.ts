'use client'
import { useTranslations } from 'use-intl'
import { useRefusal } from '#components/queue/acts/use-refusal.ts'
import { failureOf } from '#components/trpc/failure.ts'
import type { EndpointProblem } from '#server/modules/webhooks/schema.ts'

const PROBLEMS: readonly string[] = ['notHttps', 'holdsPassword', 'notPublic', 'tooMany'] satisfies EndpointProblem[]
const isProblem = (problem: unknown): problem is EndpointProblem =>
  typeof problem === 'string' && PROBLEMS.includes(problem)

/** Why an endpoint was not taken, in a sentence. */
export function useWebhookRefusal(): (error: unknown) => string | undefined {
  const t = useTranslations('webhooks.refused')
  const refusalOf = useRefusal()
  return (error) => {
    const { code, facts } = failureOf(error)
    const { problem } = (facts ?? {}) as { problem?: unknown }
    if (isProblem(problem)) return t(problem)
    if (code === 'CONFLICT') return t('changed')
    return code === 'UNPROCESSABLE_CONTENT' ? t('noAddress') : refusalOf(error)
  }
}
