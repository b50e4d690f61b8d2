'use client'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { HistoryEntry, ReviewItem } from '#server/modules/review/schema.ts'
import { AuthorFacts } from './author-facts.tsx'
import { PastDecisions } from './past-decisions.tsx'
import { Trail, type TrailNode, TrailStep } from './trail.tsx'
import { useTimes } from './use-times.ts'

/** What is known of the author and of this comment. */
export function ContextPane({ read }: { read: ReviewItem | undefined }) {
  const t = useTranslations('queue')
  const format = useFormatter()

  return (
    <aside
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label={t('context')}
      className="ring-inset min-h-0 min-w-0 overflow-auto border-s border-line-strong tablet:grid tablet:max-h-[226px] tablet:grid-cols-2 tablet:content-start tablet:border-s-0 tablet:border-t phone:hidden phone:shrink-0 phone:overflow-visible phone:border-s-0 phone:border-t-8 phone:border-t-sunken phone:group-data-open/desk:order-2 phone:group-data-open/desk:block"
    >
      {read && (
        <>
          <AuthorFacts author={read.author} />
          <Section
            title={t('decisionsOnThem')}
            count={format.number(read.author.decisions.approved + read.author.decisions.rejected)}
          >
            <PastDecisions decisions={read.author.decisions} />
          </Section>
          <Section title={t('history')}>
            <History entries={read.history} />
          </Section>
        </>
      )}
    </aside>
  )
}

function Section({ title, count, children }: { title: string; count?: string; children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-b-0">
      <h3 className="mb-1.5 flex items-center gap-1.5 text-small font-bold text-ink">
        {title}
        {count && <span className="font-normal text-ink-3">{count}</span>}
      </h3>
      {children}
    </section>
  )
}

function History({ entries }: { entries: HistoryEntry[] }) {
  const t = useTranslations('queue')
  const times = useTimes()
  return (
    <Trail>
      {entries.map((entry) => (
        <TrailStep key={`${entry.what} ${entry.at}`} isTight node={nodeOf(entry.what)}>
          <bdi className="text-ink">
            {entry.by ? t(`historyBy.${entry.what}`, { who: entry.by }) : t(`historyOf.${entry.what}`)}
          </bdi>{' '}
          <time dateTime={entry.at} title={times.exact(entry.at)} className="text-ink-3">
            {times.brief(entry.at)}
          </time>
          {entry.reason && <span className="text-ink-3">, {entry.reason}</span>}
        </TrailStep>
      ))}
    </Trail>
  )
}

function nodeOf(what: HistoryEntry['what']): TrailNode {
  if (what === 'reversed') return 'rejected'
  return what === 'approved' || what === 'rejected' ? what : 'plain'
}
