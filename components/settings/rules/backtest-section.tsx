'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { SettingsSection } from '../settings-page.tsx'
import type { TestedAct } from './figures.tsx'
import { type BacktestRun, type BacktestSums, useBacktest } from './use-backtest.ts'

interface BacktestSectionProps extends Pick<BacktestRun, 'ruleIds' | 'samples'> {
  title: string
  lead: ReactNode
  act: TestedAct
  /** The community that the rules are of; absent: they are the network's, and the person chooses one. */
  communityId: string | undefined
  /** Whether these rules can be tested. */
  isDisabled?: boolean
  /** What was found so far, in this community. */
  children: (sums: BacktestSums | undefined, communityId: string | undefined) => ReactNode
}

/** Runs a test on what is pending and on past decisions, and shows how far it is. */
export function BacktestSection(props: BacktestSectionProps) {
  const { title, lead, act, communityId: own, ruleIds, samples, isDisabled = false, children } = props
  const t = useTranslations('rules.backtest')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const [chosen, setChosen] = useState<string>()
  const { state, start, cancel } = useBacktest(({ status, sums }) => {
    if (status === 'done' && sums) announce(t('said.done', { act, ...sums.together.caught }))
    if (status === 'cancelled') announce(t('said.cancelled'))
  })
  const { status, sums } = state
  const communityId = own ?? chosen
  const isRunning = status === 'running'
  const startLabel = status === 'idle' ? 'start' : 'again'
  return (
    <SettingsSection
      id="backtest"
      title={title}
      acts={
        // The same button, so that the focus stays.
        <Button
          isDisabled={!isRunning && (isDisabled || communityId === undefined)}
          onPress={isRunning ? cancel : () => start([{ ruleIds, samples, communityId }])}
        >
          {t(isRunning ? 'cancel' : startLabel)}
        </Button>
      }
    >
      <p className="mt-1">{lead}</p>
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
      {sums?.total === 0 && <p className="mt-3">{t('none')}</p>}
      {children(sums?.total === 0 ? undefined : sums, communityId)}
    </SettingsSection>
  )
}

/** Rules of the network are tested in one community that the person reviews. */
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

const judgedIn = ({ together: { judged }, missing }: BacktestSums) =>
  judged.rejected + judged.approved + judged.pending + missing

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
