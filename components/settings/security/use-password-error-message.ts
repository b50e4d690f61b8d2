'use client'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'

/** Why an act that asks for a password or a code failed; undefined without an error. */
export function usePasswordErrorMessage(
  what: 'password' | 'code' = 'password',
): (error: unknown) => string | undefined {
  const t = useTranslations('security.wrong')
  const errorMessageOf = useErrorMessage()
  return (error) => {
    const { code } = toRequestError(error)
    if (code === 'UNPROCESSABLE_CONTENT') return t(what)
    if (code === 'TOO_MANY_REQUESTS') return t('tries')
    return errorMessageOf(error)
  }
}
