'use client'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useWebhookErrorMessage } from '../webhooks/delivery-words.tsx'

/** Why a change of a classifier was rejected, in a sentence; addresses are rejected as those of webhooks are. */
export function useClassifierErrorMessage(): (error: unknown) => string | undefined {
  const t = useTranslations('classifiers.refused')
  const webhookMessageOf = useWebhookErrorMessage()
  return (error) => {
    const { code, facts } = toRequestError(error)
    const { problem } = (facts ?? {}) as { problem?: unknown }
    if (problem === 'tooMany') return t('tooMany')
    return code === 'CONFLICT' ? t('changed') : webhookMessageOf(error)
  }
}
