'use client'
import { useTranslations } from 'use-intl'
import { useRefusal } from '#components/queue/acts/use-refusal.ts'
import { failureOf } from '#components/trpc/failure.ts'

/** Why what a password or a code was asked for was not done; nothing where nothing failed. */
export function usePasswordRefusal(what: 'password' | 'code' = 'password'): (error: unknown) => string | undefined {
  const t = useTranslations('security.wrong')
  const refusalOf = useRefusal()
  return (error) => {
    const { code } = failureOf(error)
    if (code === 'UNPROCESSABLE_CONTENT') return t(what)
    if (code === 'TOO_MANY_REQUESTS') return t('tries')
    return refusalOf(error)
  }
}
