'use client'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'

/** Why an act failed, in a sentence; undefined without an error. */
export function useErrorMessage(): (error: unknown) => string | undefined {
  const t = useTranslations('acts.refused')
  return (error) => {
    if (!error) return undefined
    const { code, httpStatus, requestId } = toRequestError(error)
    if (httpStatus === undefined) return t('unreachable')
    if (code === 'CONFLICT') return t('changed')
    if (code === 'FORBIDDEN') return t('forbidden')
    if (code === 'NOT_FOUND') return t('notFound')
    if (code === 'UNPROCESSABLE_CONTENT') return t('invalid')
    return t('unexpected', { requestId: requestId ?? '' })
  }
}
