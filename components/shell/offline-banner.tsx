'use client'
import { usePathname } from 'next/navigation'
import { useOffline } from 'next/offline'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Banner } from '#components/ui/banner.tsx'

/**
 * Says that links stay in the desk while there is no connection: pages opened before are shown, others open once it is back (Next keeps
 * such a navigation pending). The queue has its own banner, with the decisions that are not sent yet.
 */
export function OfflineBanner() {
  const isOffline = useOffline()
  const isQueue = usePathname() === '/queue'
  return (
    <div aria-live="polite" className="col-span-full">
      {isOffline && !isQueue && <Since />}
    </div>
  )
}

function Since() {
  const t = useTranslations('shell')
  const format = useFormatter()
  const [since] = useState(() => new Date())
  return (
    <Banner kind="offline">
      {t.rich('offline', { b: (text) => <b>{text}</b>, time: format.dateTime(since, { timeStyle: 'short' }) })}
    </Banner>
  )
}
