'use client'
import { Clock, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { Badge } from '#components/ui/badge.tsx'
import type { Delivery, EndpointProblem, TryProblem } from '#server/modules/integrations/webhooks/schema.ts'

/** The state of a delivery: delivered and pending are plain text, anything else is a badge. */
export function DeliveryState({ delivery: { state, tries } }: { delivery: Pick<Delivery, 'state' | 'tries'> }) {
  const t = useTranslations('webhooks.states')
  if (state === 'failed') {
    return (
      <Badge look="reject">
        <X />
        {t('failed')}
      </Badge>
    )
  }
  if (state === 'skipped') return <Badge>{t('skipped')}</Badge>
  if (state === 'waiting' && tries > 0) {
    return (
      <Badge look="warn">
        <Clock />
        {t('again')}
      </Badge>
    )
  }
  return <span>{t(state)}</span>
}

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
