'use client'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import type { Patterns } from '#server/modules/review/insights/schema.ts'
import { Part } from './part.tsx'

/** How many bars are shown at first. */
const FIRST_BARS = 8

/** Why people rejected items. */
export function ReasonShares({ reasons }: Pick<Patterns, 'reasons'>) {
  const t = useTranslations('insights.shares')
  const total = reasons.reduce((sum, { count }) => sum + count, 0)
  return (
    <Part title={t('reasons')}>
      <Bars
        total={total}
        none={t('noRejections')}
        bars={reasons.map(({ reasonId = '', label, count }) => ({ id: reasonId, name: label ?? t('noReason'), count }))}
      />
    </Part>
  )
}

/** Which rules held the items. */
export function RuleShares({ rules: { items, isPartial, held } }: Pick<Patterns, 'rules'>) {
  const t = useTranslations('insights.shares')
  return (
    <Part title={t('rules')}>
      <p className="mb-2 text-small text-ink-3">{t(isPartial ? 'ofLatest' : 'ofAll', { count: items })}</p>
      <Bars
        total={items}
        none={t('noItems')}
        bars={held.map(({ ruleId = '', name, count }) => ({ id: ruleId, name: name ?? t('noRule'), count }))}
      />
    </Part>
  )
}

interface BarsProps {
  bars: { id: string; name: string; count: number }[]
  /** Of which each bar is a share. */
  total: number
  /** What is said instead of no bars. */
  none: string
}

/** Bars with their names, counts and shares, the longest first. */
function Bars({ bars, total, none }: BarsProps) {
  const t = useTranslations('insights')
  const format = useFormatter()
  const [isWhole, setWhole] = useState(false)
  const most = Math.max(1, ...bars.map(({ count }) => count))
  if (bars.length === 0) return <p className="text-ink-3">{none}</p>
  return (
    <>
      <ul>
        {(isWhole ? bars : bars.slice(0, FIRST_BARS)).map(({ id, name, count }) => (
          <li
            key={id}
            className="grid min-h-[30px] grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_3rem] items-center gap-2 text-ink-2"
          >
            <bdi className="truncate" title={name}>
              {name}
            </bdi>
            <span aria-hidden className="h-2.5">
              <span
                className="block h-full min-w-0.5 bg-chart-held forced-color-adjust-none"
                style={{ width: `${(count / most) * 100}%` }}
              />
            </span>
            <b className="text-end font-firm text-ink tabular-nums">{format.number(count)}</b>
            <span className="text-end text-small text-ink-3 tabular-nums">
              {format.number(count / total, { style: 'percent' })}
            </span>
          </li>
        ))}
      </ul>
      {bars.length > FIRST_BARS && (
        <Button look="bare" size="small" className="mt-1.5" onPress={() => setWhole(!isWhole)}>
          {isWhole ? t('showFirst', { count: FIRST_BARS }) : t('showMore', { count: bars.length - FIRST_BARS })}
        </Button>
      )}
    </>
  )
}
