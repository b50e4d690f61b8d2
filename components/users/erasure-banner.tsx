'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Banner } from '#components/ui/banner.tsx'
import type { Person } from '#server/modules/people/schema.ts'

/** Shows that the person's data is being erased, or was. */
export function ErasureBanner({ person: { erasure } }: { person: Person }) {
  const t = useTranslations('users.erasure')
  const times = useTimes()
  if (!erasure) return null
  const b = (words: ReactNode) => <b>{words}</b>
  return (
    <Banner kind="warn">
      {erasure.finishedAt === undefined
        ? t.rich('goesOn', { b, time: times.exact(erasure.requestedAt) })
        : t.rich('finished', { b, time: times.exact(erasure.finishedAt) })}
    </Banner>
  )
}
