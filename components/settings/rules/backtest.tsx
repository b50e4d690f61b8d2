'use client'
import { useTranslations } from 'use-intl'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { Outcomes, TestedRule } from '#server/modules/review/backtests/schema.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { BacktestFigures, type TestedAct } from './backtest-figures.tsx'
import { BacktestSection } from './backtest-section.tsx'
import { SAMPLES } from './use-backtest.ts'

/** What the rule would have held, rejected or flagged among past decisions. */
export function Backtest({ rule: { ruleId, version, communityId, action, mayTest } }: { rule: Rule }) {
  const t = useTranslations('rules.backtest')
  // Its samples are for those who review what the rule judges.
  if (!mayTest) return null
  const { type: act } = action
  return (
    <BacktestSection
      title={t('title')}
      lead={t('lead', { act, version })}
      act={act}
      communityId={communityId}
      ruleIds={[ruleId]}
      samples={SAMPLES}
    >
      {(sums) =>
        sums?.rules.map((tested) => (
          <Result
            key={tested.ruleId}
            act={act}
            tested={{ ...tested, costMs: sums.together.costMs }}
            missing={sums.missing}
          />
        ))
      }
    </BacktestSection>
  )
}

function Result({ act, tested, missing }: { act: TestedAct; tested: TestedRule; missing: number }) {
  const t = useTranslations('rules.backtest')
  const { failed } = tested
  return (
    <>
      <BacktestFigures act={act} tested={tested} missing={missing} />
      {failed > 0 && <p className="mt-2 text-small text-reject">{t('failedItems', { count: failed })}</p>}
      <Samples tested={tested} outcome="approved" />
      <Samples tested={tested} outcome="rejected" />
    </>
  )
}

function Samples({ tested: { samples }, outcome }: { tested: TestedRule; outcome: keyof Outcomes }) {
  const t = useTranslations('rules.backtest')
  const times = useTimes()
  const shown = samples.filter((sample) => sample.outcome === outcome)
  if (shown.length === 0) return null
  return (
    <section aria-label={t(`samples.${outcome}`)} className="mt-4">
      <h3 className="font-firm text-ink">{t(`samples.${outcome}`)}</h3>
      <ul>
        {shown.map(({ subjectType, subjectId, title, text, found, decidedAt }) => (
          <li key={`${subjectType} ${subjectId}`} className="border-b border-line py-2">
            <FoundText title={title} text={text} found={found} />
            <time dateTime={decidedAt} className="text-small text-ink-3">
              {times.exact(decidedAt)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
