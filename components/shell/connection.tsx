'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useConnection } from '#components/live/live-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'

const DOT = { connecting: 'bg-line-strong', live: 'bg-approve', reconnecting: 'bg-warn', offline: 'bg-warn' }

/** Whether the desk hears what happens as it happens. On a phone it is said only where it does not. */
export function Connection() {
  const t = useTranslations('shell.connection')
  const format = useFormatter()
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const { connection, since } = useConnection()
  if (!me.reviews) return null

  const isQuiet = connection === 'live' || connection === 'connecting'
  return (
    <span className={`flex items-center gap-1.5 px-2 whitespace-nowrap text-ink-2 ${isQuiet ? 'phone:hidden' : ''}`}>
      <span aria-hidden className={`size-[7px] rounded-full ${DOT[connection]} forced-color-adjust-none`} />
      <span className="grid *:col-start-1 *:row-start-1">
        <span>{t(connection, { time: format.dateTime(since, { timeStyle: 'short' }) })}</span>
        {/* Keeps the room of the longer word: nothing moves when the desk has become live. */}
        {isQuiet && (
          <span aria-hidden className="invisible">
            {t('connecting')}
          </span>
        )}
      </span>
    </span>
  )
}
