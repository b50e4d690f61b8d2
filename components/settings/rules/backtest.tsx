'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { Outcomes } from '#server/modules/review/backtests/schema.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { Figure, Figures } from './figures.tsx'
import { type BacktestSums, useBacktest } from './use-backtest.ts'

/** What the rule would have held among past decisions. */
export function Backtest({ rule: { ruleId, version, communityId: own, mayMakeLive } }: { rule: Rule }) {
  const t = useTranslations('rules.backtest')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const [chosen, setChosen] = useState<string>()
  const { state, start, cancel } = useBacktest(ruleId, ({ status, sums }) => {
    if (status === 'done' && sums) announce(t('said.done', sums.caught))
    if (status === 'cancelled') announce(t('said.cancelled'))
  })
  // Its samples are for those who review what the rule judges.
  if (!mayMakeLive) return null
  const { status, sums } = state
  const communityId = own ?? chosen
  const isRunning = status === 'running'
  const startLabel = status === 'idle' ? 'start' : 'again'
  return (
    <SettingsSection
      id="backtest"
      title={t('title')}
      acts={
        // The same button, so that the focus stays.
        <Button
          isDisabled={communityId === undefined}
          onPress={isRunning ? cancel : () => start(own === undefined ? communityId : undefined)}
        >
          {t(isRunning ? 'cancel' : startLabel)}
        </Button>
      }
    >
      <p className="mt-1">{t('lead', { version })}</p>
      {own === undefined && <CommunityChoice chosen={chosen} onChoose={setChosen} />}
      {isRunning && <Progress sums={sums} />}
      {status === 'cancelled' && <p className="mt-3">{t('cancelled')}</p>}
      {(status === 'failed' || status === 'changed') && (
        <div className="mt-4">
          <FormError id="backtest-failure">
            {status === 'changed' ? t('changed') : (errorMessageOf(state.error) ?? '')}
          </FormError>
        </div>
      )}
      {sums && (sums.total > 0 ? <Result sums={sums} /> : <p className="mt-3">{t('none')}</p>)}
    </SettingsSection>
  )
}

/** A rule of the network is tested in one community that the person reviews. */
function CommunityChoice({ chosen, onChoose }: { chosen: string | undefined; onChoose: (id: string) => void }) {
  const t = useTranslations('rules.backtest')
  const { data } = useQuery(useTRPC().review.counts.queryOptions())
  const choices = (data?.communities ?? []).map(({ communityId, displayName }) => ({
    id: communityId,
    label: displayName,
  }))
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <span className="text-ink-3">{t('community')}</span>
      <ChoiceMenu label={t('community')} choices={choices} chosen={chosen} onChoose={onChoose}>
        <Button>
          <bdi>{choices.find(({ id }) => id === chosen)?.label ?? t('chooseCommunity')}</bdi>
          <ChevronDown />
        </Button>
      </ChoiceMenu>
    </div>
  )
}

const judgedIn = ({ judged, missing }: BacktestSums) => judged.rejected + judged.approved + missing

function Progress({ sums }: { sums: BacktestSums | undefined }) {
  const t = useTranslations('rules.backtest')
  const { total = 0 } = sums ?? {}
  const count = sums ? Math.min(judgedIn(sums), total) : 0
  const text = t('progressText', { count, total })
  return (
    <div className="mt-3">
      <div
        role="progressbar"
        aria-label={t('progress')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={count}
        aria-valuetext={text}
        className="h-1 overflow-hidden rounded-full bg-sunken forced-colors:border"
      >
        <span
          style={{ scale: `${total === 0 ? 0 : count / total} 1` }}
          className="block h-full origin-left bg-ink forced-color-adjust-none rtl:origin-right"
        />
      </div>
      <p className="mt-1 text-small text-ink-3 tabular-nums">{sums && text}</p>
    </div>
  )
}

/** Two decimals, as most rules take far less than a millisecond. */
const COST = { maximumFractionDigits: 2, minimumFractionDigits: 2 }

function Result({ sums }: { sums: BacktestSums }) {
  const t = useTranslations('rules.backtest')
  const format = useFormatter()
  const { judged, caught, missing, failed, costMs } = sums
  const items = judged.rejected + judged.approved
  const held = caught.rejected + caught.approved
  const shareOf = (part: number, whole: number) =>
    whole === 0 ? t('noShare') : format.number(part / whole, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <>
      <Figures>
        <Figure name={t('caught')} value={format.number(held)}>
          {t('ofJudged', { count: held, total: items })}
        </Figure>
        <Figure name={t('right')} value={format.number(caught.rejected)}>
          {held === 0 ? t('noShare') : t('rightMeans', { share: shareOf(caught.rejected, held) })}
        </Figure>
        <Figure name={t('wrong')} value={format.number(caught.approved)}>
          {held === 0 ? t('noShare') : t('wrongMeans', { share: shareOf(caught.approved, held) })}
        </Figure>
        <Figure name={t('recall')} value={format.number(judged.rejected)}>
          {t('recallMeans', { share: shareOf(caught.rejected, judged.rejected) })}
        </Figure>
        <Figure name={t('cost')} value="">
          {t('costMeans', { ms: format.number(items === 0 ? 0 : costMs / items, COST) })}
        </Figure>
      </Figures>
      {missing > 0 && <p className="mt-2 text-small text-ink-3">{t('missing', { count: missing })}</p>}
      {failed > 0 && <p className="mt-2 text-small text-reject">{t('failedItems', { count: failed })}</p>}
      <Samples sums={sums} outcome="approved" />
      <Samples sums={sums} outcome="rejected" />
    </>
  )
}

function Samples({ sums: { samples }, outcome }: { sums: BacktestSums; outcome: keyof Outcomes }) {
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
