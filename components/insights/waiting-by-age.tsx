'use client'
import Link from 'next/link'
import { useFormatter, useTranslations } from 'use-intl'
import { AGE_GROUND, type AgeLevel, ageLevel } from '#components/kit/review/age.ts'
import { AgeLine } from '#components/kit/review/age-line.tsx'
import type { Waiting } from '#server/modules/review/insights/schema.ts'
import type { Lists } from './use-lists.ts'

const AGES = ['hour', 'twoHours', 'fourHours', 'day', 'week', 'older'] as const
/** The start of each age group, in minutes. */
const FROM_MINUTES = [0, 60, 120, 240, 1_440, 10_080]
const MINUTE_MS = 60_000

/** Pending items by age, in the colours of the queue's age line. */
export function WaitingByAge({ waiting, lists }: { waiting: Waiting; lists: Lists }) {
  const t = useTranslations('insights')
  const most = Math.max(1, ...waiting.ages)
  const targetMs = waiting.target && waiting.target.withinMinutes * MINUTE_MS
  return (
    <>
      <p className="mb-2 text-small text-ink-3">{t('inkNote', { count: waiting.pastTarget })}</p>
      <ul>
        {AGES.map((age, index) => {
          const from = FROM_MINUTES[index] ?? 0
          const until = FROM_MINUTES[index + 1]
          return (
            <Age
              key={age}
              name={t(`ages.${age}`)}
              count={waiting.ages[index] ?? 0}
              share={(waiting.ages[index] ?? 0) / most}
              level={ageLevel(from * MINUTE_MS, targetMs)}
              href={
                (waiting.ages[index] ?? 0) === 0
                  ? undefined
                  : lists.queue({
                      ...(from > 0 && { heldForMinutes: from }),
                      ...(until !== undefined && { heldUnderMinutes: until }),
                    })
              }
            />
          )
        })}
      </ul>
    </>
  )
}

interface AgeProps {
  name: string
  count: number
  /** Relative to the largest group. */
  share: number
  level: AgeLevel
  href: string | undefined
}

function Age({ name, count, share, level, href }: AgeProps) {
  const format = useFormatter()
  const line = (
    <>
      <AgeLine level={level} />
      <span>{name}</span>
      <span aria-hidden className="h-2.5">
        {count > 0 && (
          <span
            className={`block h-full min-w-0.5 forced-color-adjust-none ${AGE_GROUND[level]}`}
            style={{ width: `${share * 100}%` }}
          />
        )}
      </span>
      <b className="text-end font-firm text-ink tabular-nums">{format.number(count)}</b>
    </>
  )
  const look =
    'relative grid min-h-[30px] grid-cols-[84px_minmax(0,1fr)_minmax(48px,auto)] items-center gap-2 ps-[18px] text-ink-2'
  return (
    <li>
      {href === undefined ? (
        <span className={look}>{line}</span>
      ) : (
        <Link href={href} prefetch={false} className={`${look} no-underline hover:bg-hover`}>
          {line}
        </Link>
      )}
    </li>
  )
}
