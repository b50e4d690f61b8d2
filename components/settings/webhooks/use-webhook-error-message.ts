'use client'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import type { EndpointProblem } from '#server/modules/integrations/webhooks/schema.ts'

const PROBLEMS: readonly string[] = ['notHttps', 'holdsPassword', 'notPublic', 'tooMany'] satisfies EndpointProblem[]
const isProblem = (problem: unknown): problem is EndpointProblem =>
  typeof problem === 'string' && PROBLEMS.includes(problem)

/** Why an endpoint was rejected, in a sentence. */
export function useWebhookErrorMessage(): (error: unknown) => string | undefined {
  const t = useTranslations('webhooks.refused')
  const errorMessageOf = useErrorMessage()
  return (error) => {
    const { code, facts } = toRequestError(error)
    const { problem } = (facts ?? {}) as { problem?: unknown }
    if (isProblem(problem)) return t(problem)
    if (code === 'CONFLICT') return t('changed')
    return code === 'UNPROCESSABLE_CONTENT' ? t('noAddress') : errorMessageOf(error)
  }
}
