'use client'
import { memo, type ReactNode, useDeferredValue } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { Trail, type TrailNode, TrailStep } from '#components/kit/review/trail.tsx'
import { useErrorReason } from '#components/kit/states/error-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Button } from '#components/ui/button.tsx'
import type { HistoryEntry, ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { mergeDecisions } from '../acts/decisions/merge-decisions.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import type { Item } from '../state/use-item.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { CONTEXT_PANE } from '../state/use-selection.ts'
import { AuthorFacts } from './author-facts.tsx'
import { FlagList, NoteList, SameTextDecisions, WhyFirst } from './lazy-parts.ts'
import { PastDecisions } from './past-decisions.tsx'

/**
 * Facts about the author and the item: beside the item, below it, or on low windows in a drawer over it. Rendered one frame after the
 * item, which the moderator is waiting for.
 */
export function ContextPane({ item: { read, shown, unread, refetch } }: { item: Item }) {
  const t = useTranslations('queue')
  const known = useDeferredValue(read)

  return (
    <aside
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
      tabIndex={0}
      id={CONTEXT_PANE}
      aria-label={t('context')}
      className="ring-inset min-h-0 min-w-0 overflow-auto border-s border-line-strong group-data-empty/desk:hidden! tablet:grid tablet:max-h-[226px] tablet:grid-cols-2 tablet:content-start tablet:border-s-0 tablet:border-t tablet-low:absolute tablet-low:inset-y-0 tablet-low:end-0 tablet-low:z-4 tablet-low:hidden tablet-low:max-h-none tablet-low:w-[min(var(--context),100%)] tablet-low:border-s tablet-low:border-t-0 tablet-low:bg-surface tablet-low:shadow-pop tablet-low:group-data-context/desk:block phone:hidden phone:shrink-0 phone:overflow-visible phone:border-s-0 phone:border-t-8 phone:border-t-sunken phone:group-data-open/desk:order-2 phone:group-data-open/desk:block print:static! print:block! print:w-auto! print:max-h-none! print:overflow-visible! print:border-s-0!"
    >
      {known && <Known read={known} />}
      {!read && shown && unread && <Unread error={unread} onRetry={() => void refetch()} />}
    </aside>
  )
}

/** For an item whose row is known: nothing else of it could be loaded. */
function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTranslations('queue')
  const reason = useErrorReason(error)
  return (
    <div className="grid justify-items-start gap-2.5 px-4 py-3 text-ink-2">
      <p>
        {t('unread.context')} {reason}
      </p>
      <Button onPress={onRetry}>{t('tryAgain')}</Button>
    </div>
  )
}

const Known = memo(function Known({ read }: { read: ReviewItem }) {
  const t = useTranslations('queue')
  const reported = useTranslations('reported')
  const format = useFormatter()
  const { lines, sameWords } = mergeDecisions(read)
  const { order } = useQueueFilter().search
  const { approved, rejected } = read.author.decisions
  const decided = approved + rejected
  const { notes } = read.author
  const empty = [
    ...(decided === 0 ? [t('empty.decisions')] : []),
    ...(notes.length === 0 ? [t('empty.notes')] : []),
    ...(sameWords.length === 0 && read.item.subjectType !== 'user' ? [t('empty.same')] : []),
  ]

  return (
    <>
      {order === 'urgent' && read.item.urgency && (
        <Section title={t('whyFirst.title')}>
          <WhyFirst read={read} />
        </Section>
      )}
      <AuthorFacts
        author={read.author}
        item={read.item}
        unmutedIn={read.mute?.mayEnd ? read.item.community?.communityId : undefined}
      />
      {decided > 0 && (
        <Section title={t('decisionsOnThem')} count={format.number(decided)}>
          <PastDecisions author={read.author.displayName} decisions={read.author.decisions} lines={lines} />
        </Section>
      )}
      {read.flags.length > 0 && (
        <Section title={reported('flags')} count={format.number(read.flags.length)}>
          <FlagList flags={read.flags} />
        </Section>
      )}
      {notes.length > 0 && (
        <Section title={t('notes')} count={format.number(notes.length)} act={<AddNote item={read.item} />}>
          <NoteList aboutUserId={read.author.userId} notes={notes} />
        </Section>
      )}
      {sameWords.length > 0 && (
        <Section title={t('same.title')} count={format.number(sameWords.length)}>
          <SameTextDecisions item={read.item} sameWords={sameWords} />
        </Section>
      )}
      {empty.length > 0 && (
        <div className="flex items-baseline border-b border-line px-4 py-2 text-small">
          <p className="py-1">{t('noneOf', { names: format.list(empty, { type: 'disjunction' }) })}</p>
          {notes.length === 0 && <AddNote item={read.item} />}
        </div>
      )}
      <Section title={reported(`history.${read.item.subjectType}`)}>
        <History entries={read.history} />
      </Section>
    </>
  )
})

function AddNote({ item }: { item: QueueItem }) {
  const t = useTranslations('queue')
  const { open } = useDeskActs()
  return (
    <Button look="bare" size="small" className="ms-auto px-1.5! text-small" onPress={() => open('note', item)}>
      {t('addNote')}
      <ActKeycap act="note" className="phone:hidden" />
    </Button>
  )
}

function Section({
  title,
  count,
  act,
  children,
}: {
  title: string
  count?: string
  act?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-b-0">
      <div className="mb-1.5 flex items-center">
        <h3 className="flex items-center gap-1.5 text-small font-bold text-ink">
          {title}
          {count && <span className="font-normal text-ink-3">{count}</span>}
        </h3>
        {act}
      </div>
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
  if (what === 'reversed' || what === 'rejected' || what === 'deleted') return 'rejected'
  return what === 'approved' || what === 'dismissed' ? 'approved' : 'plain'
}
