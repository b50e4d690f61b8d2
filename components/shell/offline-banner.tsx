'use client'
import { usePathname } from 'next/navigation'
import { useOffline } from 'next/offline'
import { useEffect, useEffectEvent, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWarn } from '#components/ui/announcer.tsx'
import { Banner } from '#components/ui/banner.tsx'

/**
 * Says that links stay in the desk while there is no connection: pages opened before are shown, others open once it is back (Next keeps
 * such a navigation pending). The queue has its own banner, with the decisions that are not sent yet.
 */
export function OfflineBanner() {
  const isOffline = useOffline()
  const isQueue = usePathname() === '/queue'
  useLinksWait(isOffline)
  return (
    <div aria-live="polite" className="col-span-full">
      {isOffline && !isQueue && <Since />}
    </div>
  )
}

/** Says that the page behind a link opens later: Next shows nothing until the connection is back. */
function useLinksWait(isOffline: boolean): void {
  const t = useTranslations('shell')
  const warn = useWarn()
  const onClick = useEffectEvent(({ target }: MouseEvent) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link?.origin === location.origin && link.pathname !== location.pathname) warn(t('opensLater'))
  })
  useEffect(() => {
    if (!isOffline) return
    addEventListener('click', onClick)
    return () => removeEventListener('click', onClick)
  }, [isOffline])
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
