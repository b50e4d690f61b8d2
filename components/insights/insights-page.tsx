'use client'
import { ChartLine } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { DaysChips } from '#components/kit/filters/days-chips.tsx'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { LoadingRows } from '#components/kit/states/loading-rows.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page } from '#components/ui/page.tsx'
import { BacklogBanner } from './backlog-banner.tsx'
import { ByCommunity } from './by-community.tsx'
import { ByPerson } from './by-person.tsx'
import { Calibration } from './calibration.tsx'
import { HeldAndDecided, TimeToDecision } from './day-charts.tsx'
import { ExportFigures } from './export-figures.tsx'
import { Figures } from './figures.tsx'
import { Forecast } from './forecast.tsx'
import { LoadByHour } from './load-by-hour.tsx'
import { Part } from './part.tsx'
import { ReasonShares, RuleShares } from './shares.tsx'
import { useInsights } from './use-insights.ts'
import { useLists } from './use-lists.ts'
import { WaitingByAge } from './waiting-by-age.tsx'

/** How many items are held, how many are decided, and how fast: every figure is exact and links to the list behind it. */
export function InsightsPage() {
  const t = useTranslations('insights')
  const { input, setSearch, insights, waiting, patterns } = useInsights()
  const lists = useLists(input)
  const { communityId = null, startDate, endDate } = input
  const name = insights.data?.communities.find((space) => space.communityId === communityId)?.displayName
  const isEmpty = insights.data?.total.held === 0 && insights.data.people.length === 0 && waiting.data?.total === 0

  return (
    <Page>
      <h1 className="sr-only">{t('title')}</h1>
      <search
        aria-label={t('filters')}
        className="flex min-h-11 shrink-0 flex-wrap items-center gap-1.5 border-b border-line-strong px-3 py-2"
      >
        <span>{t('whatHappened')}</span>
        <FoundChip
          what="community"
          chosen={communityId}
          name={name}
          onChoose={(communityId) => setSearch({ communityId })}
        />
        <DaysChips
          days={{ startDate, endDate }}
          onChoose={(days) => setSearch(days)}
          onZone={(timeZone) => setSearch({ timeZone })}
        />
        <ExportFigures input={input} />
      </search>
      {insights.isError && <ErrorState list={insights} />}
      {!insights.isError && waiting.isError && <ErrorState list={waiting} />}
      {insights.isPending && <LoadingRows />}
      {isEmpty && (
        <EmptyState icon={<ChartLine />} title={t('nothing')}>
          {t('nothingText')}
        </EmptyState>
      )}
      {insights.data && !isEmpty && (
        <div className="mx-auto w-full max-w-[1288px] px-6 pt-5 pb-12 phone:px-3">
          {waiting.data && <BacklogBanner waiting={waiting.data} lists={lists} />}
          <Figures insights={insights.data} waiting={waiting.data} lists={lists} />
          <div className="grid grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] gap-x-12 gap-y-7.5 max-[900px]:grid-cols-[minmax(0,1fr)]">
            <HeldAndDecided insights={insights.data} lists={lists} />
            {waiting.data && (
              <Part title={t('waitingByAge')}>
                <WaitingByAge waiting={waiting.data} lists={lists} />
                {patterns.data && <Forecast waiting={waiting.data.total} pace={patterns.data.pace} />}
              </Part>
            )}
            <TimeToDecision insights={insights.data} target={waiting.data?.target} />
            {waiting.data && (
              <Part title={t('byCommunity')}>
                <ByCommunity insights={insights.data} waiting={waiting.data} lists={lists} />
              </Part>
            )}
            {patterns.isError && !patterns.data && <ErrorState list={patterns} />}
            {patterns.data && (
              <>
                <LoadByHour hours={patterns.data.hours} />
                <div className="grid min-w-0 content-start gap-y-7.5">
                  <ReasonShares reasons={patterns.data.reasons} />
                  <RuleShares rules={patterns.data.rules} />
                </div>
              </>
            )}
            <Part title={t('byPerson')}>
              {insights.data.people.length > 0 ? (
                <ByPerson people={insights.data.people} lists={lists} />
              ) : (
                <p className="text-ink-3">{t('nobody')}</p>
              )}
            </Part>
            {input.communityId && <Calibration input={{ ...input, communityId: input.communityId }} />}
          </div>
        </div>
      )}
    </Page>
  )
}
