'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useConnection } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'

const DOT = { connecting: 'bg-line-strong', live: 'bg-approve', reconnecting: 'bg-warn', offline: 'bg-warn' }

/** The state of the live connection. On a phone it is shown only when it isn't live. */
export function Connection() {
  const t = useTranslations('shell.connection')
  const format = useFormatter()
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const { connection, since } = useConnection()
  if (!me.reviews) return null

  const isQuiet = connection === 'live' || connection === 'connecting'
  return (
    <span
      data-troubled={!isQuiet || undefined}
      className={`grid justify-items-end px-2 whitespace-nowrap text-ink-2 *:col-start-1 *:row-start-1 phone:px-1 ${isQuiet ? 'phone:hidden' : ''}`}
    >
      <Said key={connection} dot={DOT[connection]}>
        <span className="sr-only">{t('label')}: </span>
        {connection === 'offline' && <span className="hidden phone:inline">{t('offlineBrief')}</span>}
        <span className={connection === 'offline' ? 'phone:sr-only' : ''}>
          {t(connection, { time: format.dateTime(since, { timeStyle: 'short' }) })}
        </span>
      </Said>
      {/* Reserves the width of the longer text, so that nothing moves when the connection becomes live. */}
      {isQuiet && (
        <span aria-hidden className="invisible">
          <Said dot="">{t('connecting')}</Said>
        </span>
      )}
    </span>
  )
}

function Said({ dot, children }: { dot: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={`size-[7px] rounded-full ${dot} forced-color-adjust-none`} />
      <span>{children}</span>
    </span>
  )
}
