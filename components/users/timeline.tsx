'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { Timeline, TimelineAct, TimelineEntry } from '#server/modules/people/schema.ts'
import { Section } from './section.tsx'

const SHOWN_FIRST = 12
const SHOWN_MORE = 24

/** What happened around the person, day by day, latest first: what they wrote, reports, decisions, bans, mutes, trust and holds. */
export function PersonTimeline({ userId }: { userId: string }) {
  const t = useTranslations('users.timeline')
  const { read, entries, hasMore, more } = useTimeline(userId)
  if (read.data?.entries.length === 0) return null
  const days = [...Map.groupBy(entries, ({ day }) => day).values()]
  return (
    <Section title={t('title')}>
      {read.isError && <ErrorState list={read} />}
      <ol className="grid gap-2 text-small">
        {days.map((ofDay) => (
          <Day key={ofDay[0]?.day} entries={ofDay} />
        ))}
      </ol>
      {hasMore && (
        <div className="pt-2">
          <Button size="small" isPending={more.isPending} onPress={() => more.mutate()}>
            {t('earlier')}
          </Button>
        </div>
      )}
      {more.isError && <p className="pt-1 text-small text-reject">{t('notRead')}</p>}
    </Section>
  )
}

/** The newest entries; `more` shows earlier ones, which are fetched where they aren't there yet. */
function useTimeline(userId: string) {
  const client = useTRPCClient()
  const { zone: timeZone } = useZone()
  const read = useQuery(useTRPC().users.timeline.queryOptions({ userId, timeZone }))
  const [shown, setShown] = useState(SHOWN_FIRST)
  const [earlier, setEarlier] = useState<{ from: string | undefined; pages: Timeline[] }>()
  const begin = read.data?.before
  // The first page may have grown since: its end has moved then.
  const pages = earlier && earlier.from === begin ? earlier.pages : []
  const all = [...(read.data?.entries ?? []), ...pages.flatMap(({ entries }) => entries)]
  const before = pages.length > 0 ? pages.at(-1)?.before : begin
  const more = useMutation({
    mutationFn: async () => {
      if (all.length < shown + SHOWN_MORE && before !== undefined) {
        const page = await client.users.timeline.query({ userId, timeZone, before })
        setEarlier({ from: begin, pages: [...pages, page] })
      }
      setShown((now) => now + SHOWN_MORE)
    },
  })
  return { read, entries: all.slice(0, shown), hasMore: all.length > shown || before !== undefined, more }
}

function Day({ entries }: { entries: TimelineEntry[] }) {
  const times = useTimes()
  const [first] = entries
  return (
    <li>
      <h3 className="font-firm text-ink">{first && times.date(first.at)}</h3>
      <ol className="mt-0.5 border-s border-line-strong ps-2.5">
        {entries.map((entry) => (
          <Line key={keyOf(entry)} entry={entry} />
        ))}
      </ol>
    </li>
  )
}

const keyOf = ({ act, at, subjectType, space, by, reason }: TimelineEntry) =>
  JSON.stringify([act, at, subjectType, space, by, reason])

/** What was done against the person, as opposed to what they did or what ended. */
const AGAINST = new Set<TimelineAct>(['reported', 'rejected', 'deleted', 'banned', 'muted', 'putOnHold'])

function Line({ entry }: { entry: TimelineEntry }) {
  const t = useTranslations('users.timeline')
  const times = useTimes()
  const spaceName = useSpaceName()
  const { act, at, count, subjectType, space, by, reason, endsAt } = entry
  const things = subjectType && t(`things.${subjectType}`, { count })
  const where = space && spaceName({ space, displayName: space.displayName })
  const facts = [
    things !== undefined && where,
    by && t.rich('by', { who: () => <PersonLink person={by} /> }),
    reason !== undefined && <bdi>{reason}</bdi>,
    endsAt !== undefined && t('until', { time: times.timeAndDay(endsAt) }),
  ].filter(Boolean)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-1.5 py-px">
      <time title={times.exact(at)} className="min-w-13 text-ink-3 tabular-nums whitespace-nowrap">
        {times.time(at)}
      </time>
      <span className="wrap-anywhere text-ink-3">
        <span className={AGAINST.has(act) ? 'font-firm text-ink' : 'text-ink-2'}>
          {t(`acts.${act}`, { things: things ?? '', space: where ?? '' })}
        </span>
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts have no identity, and keep their order
          <span key={index}>
            {' · '}
            {fact}
          </span>
        ))}
      </span>
    </li>
  )
}
