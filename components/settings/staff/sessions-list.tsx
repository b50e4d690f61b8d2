'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import type { StaffSession } from '#server/modules/accounts/staff/schema.ts'
import { Row } from '../rows.tsx'
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
          <Row
            key={session.sessionId}
            title={
              <>
                <span title={session.userAgent} className="font-firm wrap-anywhere text-ink">
                  {browser}
                </span>{' '}
                {session.isThis && <Badge>{t('this')}</Badge>}
              </>
            }
            about={
              <>
                {t('since', { time: times.exact(session.startedAt) })}
                {session.lastSeenAt && ` ${t('lastSeen', { time: times.exact(session.lastSeenAt) })}`}
                {session.ipAddress && ` ${t('from', { address: session.ipAddress })}`}
              </>
            }
          >
            {!session.isThis && (
              <Button aria-label={t('endThis', { browser })} onPress={() => onEnd(session)}>
                {t('end')}
              </Button>
            )}
          </Row>
        )
      })}
    </ul>
  )
}
