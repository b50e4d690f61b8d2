'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

/** Which page this is, with its heading. The queue says more of itself. */
export function DeskWhere({ queue }: { queue: ReactNode }) {
  const t = useTranslations('settings')
  if (usePathname() === '/queue') return queue
  return (
    <div className="flex min-w-0 items-center gap-1.5 ps-4 text-ink-3 phone:ps-1">
      <span className="phone:hidden">{t('settings')}</span>
      <span aria-hidden className="phone:hidden">
        /
      </span>
      <h1 className="truncate font-bold text-ink">{t('preferences')}</h1>
    </div>
  )
}
