'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import type { StaffSession } from '#server/modules/accounts/staff/schema.ts'
import { browserOf } from './browser-of.ts'

interface SessionsListProps {
  sessions: StaffSession[]
  onEnd: (session: StaffSession) => void
}

/** A person's sessions: browser, address and start. */
export function SessionsList({ sessions, onEnd }: SessionsListProps) {
  const t = useTranslations('staff.sessions')
  const times = useTimes()
  if (sessions.length === 0) return <p className="mt-2 text-ink-3">{t('none')}</p>
  return (
    <ul className="mt-1">
      {sessions.map((session) => {
        const browser = browserOf(session.userAgent) ?? t('unknown')
        return (
          <li
            key={session.sessionId}
            className="flex min-h-table-row flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5"
          >
            <span className="min-w-0 flex-1 basis-56">
              <span title={session.userAgent} className="font-firm wrap-anywhere text-ink">
                {browser}
              </span>{' '}
              {session.isThis && <Badge>{t('this')}</Badge>}
              <span className="block text-small wrap-anywhere text-ink-3">
                {t('since', { time: times.exact(session.startedAt) })}
                {session.lastSeenAt && ` ${t('lastSeen', { time: times.exact(session.lastSeenAt) })}`}
                {session.ipAddress && ` ${t('from', { address: session.ipAddress })}`}
              </span>
            </span>
            {!session.isThis && (
              <Button aria-label={t('endThis', { browser })} onPress={() => onEnd(session)}>
                {t('end')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
