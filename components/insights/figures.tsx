'use client'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { DECIDED, HELD } from '#components/kit/addresses/audit-search.ts'
import type { Insights, Waiting } from '#server/modules/review/insights/schema.ts'
import { FigureLink } from './figure-link.tsx'
import type { Lists } from './use-lists.ts'

interface FiguresProps {
  insights: Insights
  waiting: Waiting | undefined
  lists: Lists
}

/** The four most important figures. */
export function Figures({ insights: { total, days }, waiting, lists }: FiguresProps) {
  const t = useTranslations('insights')
  const format = useFormatter()
  const span = useSpan()
  const decided = total.approved + total.rejected
  const aDay = (count: number) => format.number(count / days.length, { maximumFractionDigits: 1 })
  return (
    <dl className="mb-7 grid grid-cols-4 gap-x-6 gap-y-4.5 max-[900px]:grid-cols-2">
      <Figure
        name={t('waitingNow')}
        note={waiting && t('pastTarget', { count: waiting.pastTarget })}
        href={waiting && waiting.total > 0 ? lists.queue({}) : undefined}
      >
        {waiting ? format.number(waiting.total) : '…'}
      </Figure>
      <Figure
        name={t('held')}
        note={t('aDay', { count: aDay(total.held) })}
        href={total.held > 0 ? lists.audit({ action: HELD }) : undefined}
      >
        {format.number(total.held)}
      </Figure>
      <Figure
        name={t('decided')}
        note={
          decided > 0 &&
          t('aDayApproved', {
            count: aDay(decided),
            share: format.number(total.approved / decided, { style: 'percent' }),
          })
        }
        href={decided > 0 ? lists.audit({ action: DECIDED }) : undefined}
      >
        {format.number(decided)}
      </Figure>
      <Figure
        name={t('timeToDecision')}
        note={total.ninetiethMs !== undefined && t('ninetieth', { span: span(total.ninetiethMs) })}
        href={total.medianMs === undefined ? undefined : lists.audit({ action: DECIDED })}
      >
        {total.medianMs === undefined ? '–' : span(total.medianMs)}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  name: string
  note: ReactNode
  href: string | undefined
  children: ReactNode
}

function Figure({ name, note, href, children }: FigureProps) {
  return (
    <div className="min-w-0 border-t-2 border-ink pt-2">
      <dt className="font-firm">{name}</dt>
      <dd className="text-[length:var(--size-figure)] leading-(--lead-figure) font-bold tracking-[-0.02em] wrap-anywhere text-ink">
        <FigureLink href={href}>{children}</FigureLink>
      </dd>
      <dd className="text-small text-ink-3">{note}</dd>
    </div>
  )
}
