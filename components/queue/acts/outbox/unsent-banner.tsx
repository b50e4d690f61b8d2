'use client'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { useConnection } from '#components/live/live-context.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Decision } from '../../state/store/queue-state.ts'
import { waiting } from '../../state/store/select-queue.ts'
import type { Decisions } from '../decisions/use-decisions.ts'

const SHOWN = 5

/** Decisions waiting for the connection: visible until each of them is sent once. */
export function UnsentBanner({ decisions }: { decisions: Decisions }) {
  const t = useTranslations('outbox')
  const format = useFormatter()
  const { connection, since } = useConnection()
  const unsent = waiting(decisions.decisions)
  const [first] = unsent
  if (!first) return null

  const isOffline = connection === 'offline'
  const time = format.dateTime(isOffline ? since : first.decidedAt, { timeStyle: 'short' })
  return (
    <section aria-label={t('label')}>
      <Banner kind="offline">
        {t.rich(isOffline ? 'offline' : 'unreached', { b: (text: ReactNode) => <b>{text}</b>, time })}{' '}
        {t('wait', { count: unsent.length })}
      </Banner>
      <ul>
        {unsent.slice(0, SHOWN).map((decision) => (
          <UnsentLine key={decision.clientKey} decision={decision} onUndo={() => decisions.undo(decision)} />
        ))}
        {unsent.length > SHOWN && (
          <li className="border-b border-line px-3.5 py-1.5 text-small text-ink-3">
            {t('more', { count: unsent.length - SHOWN })}
          </li>
        )}
      </ul>
    </section>
  )
}

function UnsentLine({ decision: { outcome, item }, onUndo }: { decision: Decision; onUndo: () => void }) {
  const t = useTranslations('outbox')
  return (
    <li className="flex items-center gap-2 border-b border-line ps-3.5 pe-2 py-0.5">
      <OutcomeWord outcome={outcome} />
      <bdi className="truncate font-firm text-ink">{item.author.displayName}</bdi>
      <span className="ms-auto text-small text-ink-3">{t('waits')}</span>
      <Button look="bare" size="small" onPress={onUndo}>
        {t('takeBack')} <span className="sr-only">{t('undoOf', { author: item.author.displayName })}</span>
      </Button>
    </li>
  )
}
