'use client'
import { useTranslations } from 'use-intl'
import { useRefusal } from '#components/queue/acts/use-refusal.ts'
import { failureOf } from '#components/trpc/failure.ts'

/** Already banned there, or from the network (docs/interface/errors.md#codes). */
const BANNED_ALREADY = [400304, 400312]

/** Why a ban was not taken, in a sentence. */
export function useBanRefusal(): (error: unknown) => string | undefined {
  const t = useTranslations('ban')
  const refusalOf = useRefusal()
  return (error) => {
    const { wire } = failureOf(error)
    return wire && BANNED_ALREADY.includes(wire) ? t('bannedAlready') : refusalOf(error)
  }
}
