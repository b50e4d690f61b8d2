'use client'
import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { Outcomes, TestedRule } from '#server/modules/review/backtests/schema.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import type { SettingsActs } from '../use-settings-acts.tsx'
import { BacktestSection } from './backtest-section.tsx'
import { BacktestFigures, type TestedAct } from './figures.tsx'
import { SAMPLES } from './use-backtest.ts'

type ConfirmingActs = Pick<SettingsActs, 'confirm'>

/** What the rule would hold, reject or flag among what is pending, and would have among past decisions. */
export function Backtest({ rule, acts }: { rule: Rule; acts: ConfirmingActs }) {
  const { ruleId, version, communityId, action, mayTest } = rule
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
      {(sums, testedIn) =>
        sums?.rules.map((tested) => (
          <Result
            key={tested.ruleId}
            act={act}
            tested={{ ...tested, costMs: sums.together.costMs }}
            missing={sums.missing}
          >
            {rule.state === 'live' && act === 'hold' && tested.caught.pending > 0 && testedIn !== undefined && (
              <ApplyToPending rule={rule} communityId={testedIn} found={tested.caught.pending} acts={acts} />
            )}
          </Result>
        ))
      }
    </BacktestSection>
  )
}

interface ApplyToPendingProps {
  rule: Rule
  communityId: string
  /** How many pending items the test found. */
  found: number
  acts: ConfirmingActs
}

/** Has pending items judged by the live rules, which can't be undone, and leads to what this rule finds. */
function ApplyToPending({ rule: { ruleId, revision, name }, communityId, found, acts }: ApplyToPendingProps) {
  const t = useTranslations('rules.backtest')
  const apply = useMutation(useTRPC().rules.applyToPending.mutationOptions())
  if (apply.isSuccess)
    return (
      <p className="mt-3">
        {t.rich('applied', {
          queue: (text) => <Link href={toQueuePath({ communityId, ruleId })}>{text}</Link>,
        })}
      </p>
    )
  return (
    <Button
      className="mt-3"
      isPending={apply.isPending}
      onPress={() =>
        acts.confirm(
          { title: t('applyTitle'), about: name, means: t('applyMeans', { found }), submit: t('apply') },
          () => apply.mutateAsync({ ruleId, revision, communityId }),
          { words: t('said.applied') },
        )
      }
    >
      {t('apply')}
    </Button>
  )
}

interface ResultProps {
  act: TestedAct
  tested: TestedRule
  missing: number
  children: ReactNode
}

function Result({ act, tested, missing, children }: ResultProps) {
  const t = useTranslations('rules.backtest')
  const { failed } = tested
  return (
    <>
      <BacktestFigures act={act} tested={tested} missing={missing} />
      {failed > 0 && <p className="mt-2 text-small text-reject">{t('failedItems', { count: failed })}</p>}
      {children}
      <Samples tested={tested} outcome="pending" />
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
        {shown.map(({ subjectType, subjectId, title, text, found, at }) => (
          <li key={`${subjectType} ${subjectId}`} className="border-b border-line py-2">
            <FoundText title={title} text={text} found={found} />
            <time dateTime={at} className="text-small text-ink-3">
              {times.exact(at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
