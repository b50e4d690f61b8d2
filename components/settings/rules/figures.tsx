'use client'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Outcomes, Tested } from '#server/modules/review/backtests/schema.ts'
import type { RuleAction } from '#server/modules/rules/registry/schema.ts'

/** Numbers with their names, and what they mean. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="mt-3 grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-4 border-t border-line phone:grid-cols-[minmax(0,1fr)_auto]">
      {children}
    </dl>
  )
}

export function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="col-span-3 grid grid-cols-subgrid items-baseline border-b border-line py-1.5 phone:col-span-2">
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-end font-bold text-ink tabular-nums">{value}</dd>
      <dd className="text-ink-3 phone:col-span-2">{children}</dd>
    </div>
  )
}

/** What the rule would have done, or several rules together. */
export type TestedAct = RuleAction['type'] | 'several'

interface BacktestFiguresProps {
  act: TestedAct
  tested: Tested
  missing: number
}

/** What would be held, rejected or flagged of what is pending, and would have been of what people decided. */
export function BacktestFigures({ act, tested, missing }: BacktestFiguresProps) {
  const t = useTranslations('rules.backtest')
  const format = useFormatter()
  const shareOf = useShare(t('noShare', { act }))
  const { judged, caught, costMs } = tested
  const [items, held] = [decidedOf(judged), decidedOf(caught)]
  return (
    <>
      <Figures>
        <Figure name={t('pending', { act })} value={format.number(caught.pending)}>
          {t('ofPending', { count: caught.pending, total: judged.pending })}
        </Figure>
        <Figure name={t('caught', { act })} value={format.number(held)}>
          {t('ofJudged', { count: held, total: items })}
        </Figure>
        <Figure name={t('right')} value={format.number(caught.rejected)}>
          {held === 0 ? t('noShare', { act }) : t('rightMeans', { act, share: shareOf(caught.rejected, held) })}
        </Figure>
        <Figure name={t('wrong')} value={format.number(caught.approved)}>
          {held === 0 ? t('noShare', { act }) : t('wrongMeans', { act, share: shareOf(caught.approved, held) })}
        </Figure>
        <Figure name={t('recall')} value={format.number(judged.rejected)}>
          {judged.rejected === 0
            ? t('noneRejected')
            : t('recallMeans', { act, share: shareOf(caught.rejected, judged.rejected) })}
        </Figure>
        <Figure name={t('cost')} value="">
          {t('costMeans', { ms: format.number(costMs / Math.max(1, items + judged.pending), COST) })}
        </Figure>
      </Figures>
      {missing > 0 && <p className="mt-2 text-small text-ink-3">{t('missing', { count: missing })}</p>}
    </>
  )
}

/** Two decimals, as most rules take far less than a millisecond. */
export const COST = { maximumFractionDigits: 2, minimumFractionDigits: 2 }

/** How many of the items people have decided on. */
export const decidedOf = ({ rejected, approved }: Outcomes) => rejected + approved

/** Writes a part of a whole as a percentage; `none` where there is no whole. */
export function useShare(none: string): (part: number, whole: number) => string {
  const format = useFormatter()
  return (part, whole) =>
    whole === 0 ? none : format.number(part / whole, { style: 'percent', maximumFractionDigits: 1 })
}
