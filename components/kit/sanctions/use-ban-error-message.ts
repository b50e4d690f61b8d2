'use client'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useErrorMessage } from '../acts/use-error-message.ts'

/** Already banned there, or from the network (docs/interface/errors.md#codes). */
const BANNED_ALREADY = [400304, 400312]

/** Why a ban failed, in a sentence. */
export function useBanErrorMessage(): (error: unknown) => string | undefined {
  const t = useTranslations('ban')
  const errorMessageOf = useErrorMessage()
  return (error) => {
    const { wire } = toRequestError(error)
    return wire && BANNED_ALREADY.includes(wire) ? t('bannedAlready') : errorMessageOf(error)
  }
}
