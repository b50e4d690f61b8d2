'use client'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useLongSpan } from '#components/i18n/use-span.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import { type UrgencySum, urgencyOf } from '#server/modules/review/urgency/schema.ts'
import { SEVERITY_MINUTES } from '#server/modules/rules/severity/schema.ts'

/** The sum that an item is sorted by where the most urgent come first, in hours and minutes, so that its lines add up. */
export function WhyFirst({ read }: { read: ReviewItem }) {
  const t = useTranslations('queue.whyFirst')
  const { now } = useTimes()
  const textOf = useLineText(read)
  const sum = urgencyOf(read.item, now)
  const credits = [
    { ms: sum.ruleMs, name: textOf.rule },
    { ms: sum.signalMs, name: textOf.signal },
    { ms: sum.flagsMs, name: textOf.flags },
    { ms: sum.reachMs, name: textOf.reach },
  ].filter(({ ms }) => ms > 0)

  return (
    <>
      {sum.isSevere && <p className="mb-0.5 text-ink-2">{t('severe')}</p>}
      <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5">
        {!sum.isSevere && <Line name={textOf.waited(sum)} ms={sum.waitedMs - sum.targetMs} />}
        {credits.map(({ ms, name }) => (
          <Line key={name(sum)} name={name(sum)} ms={ms} />
        ))}
        <Line name={<b className="font-firm text-ink">{t('total')}</b>} ms={sum.totalMs} isTotal />
      </dl>
    </>
  )
}

function Line({ name, ms, isTotal = false }: { name: ReactNode; ms: number; isTotal?: boolean }) {
  const t = useTranslations('queue.whyFirst')
  const time = useHours()
  const minutes = Math.floor(ms / MINUTE_MS)
  return (
    <>
      <dt className={`min-w-0 wrap-anywhere text-ink-2 ${isTotal ? 'mt-1' : ''}`}>{name}</dt>
      <dd className={`text-end text-ink tabular-nums ${isTotal ? 'mt-1 font-firm' : ''}`}>
        <bdi>{t(minutes < 0 ? 'minus' : 'plus', { time: time(Math.abs(minutes)) })}</bdi>
      </dd>
    </>
  )
}

const MINUTE_MS = 60_000

/** Never in days, which would leave out minutes. */
function useHours(): (minutes: number) => string {
  const t = useTranslations('span')
  return (minutes) =>
    minutes < 60
      ? t('minutes', { minutes })
      : t('hours', { hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, '0') })
}

const HUNDREDTHS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

/** What each line counts. */
function useLineText({ item, signals }: ReviewItem) {
  const t = useTranslations('queue.whyFirst')
  const format = useFormatter()
  const span = useLongSpan()
  return {
    waited: ({ waitedMs, targetMs }: UrgencySum) => t('waited', { waited: span(waitedMs), target: span(targetMs) }),
    rule: ({ ruleMs }: UrgencySum) => {
      const rule = item.reviewReasons
        ?.flatMap((reason) => (reason.type === 'rule' ? reason : []))
        .find(({ severity }) => SEVERITY_MINUTES[severity] * MINUTE_MS === ruleMs)
      const { severity = 'other', name = '' } = rule ?? {}
      return t('rule', { severity, hasName: String(rule !== undefined), name })
    },
    signal: () => {
      const [highest] = signals
      return highest
        ? t('signal', { name: highest.name, score: format.number(highest.score, HUNDREDTHS) })
        : t('signals')
    },
    flags: () => t('flags', { count: item.flagCount }),
    reach: () => t(item.subjectType === 'post' ? 'reachedPost' : 'onReachedPost'),
  }
}
