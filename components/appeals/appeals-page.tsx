'use client'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Reply } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { LoadingRows } from '#components/kit/states/loading-rows.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page, PageHead } from '#components/ui/page.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { TabLinks } from '#components/ui/tab-links.tsx'
import type { Appeal, AppealOutcome } from '#server/modules/review/appeals/schema.ts'
import { AppealCard, cardId } from './appeal-card.tsx'
import { appealOptions } from './appeal-options.ts'
import { APPEALS_SEARCH, type AppealsSearch, toAppealsPath } from './appeals-search.ts'
import { DecideAppealDialog } from './decide-appeal-dialog.tsx'

const STATES = ['waiting', 'decided'] as const satisfies AppealsSearch['state'][]

/** How often the list looks for new appeals: hours matter, not seconds. */
const LOOK_AGAIN_MS = 60_000

/** What people say against decisions, for those who may decide on it, and what they decided. */
export function AppealsPage() {
  const t = useTranslations('appeals')
  const announce = useAnnounce()
  const queryClient = useQueryClient()
  const trpc = useTRPC()
  const [search] = useQueryStates(APPEALS_SEARCH)
  const read = useInfiniteQuery({ ...appealOptions(trpc, search), refetchInterval: LOOK_AGAIN_MS })
  const shown = read.data?.pages.flatMap(({ appeals }) => appeals) ?? []
  const [currentId, setCurrentId] = useState<string>()
  const [asked, setAsked] = useState<{ appeal: Appeal; outcome: AppealOutcome }>()
  const index = shown.findIndex(({ appealId }) => appealId === currentId)
  const current = shown[Math.max(index, 0)]

  function move(by: 1 | -1): void {
    const next = index < 0 ? shown[0] : shown[index + by]
    if (next) document.getElementById(cardId(next.appealId))?.focus()
  }
  const decide = (outcome: AppealOutcome) => () => current && setAsked({ appeal: current, outcome })
  const mayDecide = search.state === 'waiting' && current !== undefined && current.mayDecide !== 'no'
  useActs(
    asked
      ? {}
      : {
          next: () => move(1),
          previous: () => move(-1),
          ...(mayDecide && { approve: decide('reversed'), reject: decide('kept') }),
        },
    current && t('of', { who: current.author.displayName }),
  )

  function done(words: string): void {
    setAsked(undefined)
    announce(words)
    void queryClient.invalidateQueries(trpc.appeals.pathFilter())
  }

  return (
    <Page>
      <PageHead title={t('title')} about={t('about')} />
      <TabLinks
        label={t('tabs')}
        tabs={STATES.map((state) => ({
          href: toAppealsPath({ state }),
          name: t(`states.${state}`),
          isCurrent: search.state === state,
        }))}
      />
      {read.isError && <ErrorState list={read} />}
      {read.isPending && <LoadingRows />}
      {read.data && shown.length === 0 && (
        <EmptyState icon={<Reply />} title={t(`none.${search.state}`)}>
          {t(`noneText.${search.state}`)}
        </EmptyState>
      )}
      <ul className="w-full max-w-[980px]">
        {shown.map((appeal) => (
          <AppealCard
            key={appeal.appealId}
            appeal={appeal}
            isCurrent={appeal === current}
            onFocus={() => setCurrentId(appeal.appealId)}
            onDecide={(outcome) => setAsked({ appeal, outcome })}
          />
        ))}
      </ul>
      {read.hasNextPage && (
        <div className="px-[18px] py-4 phone:px-3">
          <Button isPending={read.isFetchingNextPage} onPress={() => void read.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
      {asked && (
        <DecideAppealDialog
          key={`${asked.appeal.appealId} ${asked.outcome}`}
          {...asked}
          onClose={() => setAsked(undefined)}
          onDone={done}
          onChanged={() => void queryClient.invalidateQueries(trpc.appeals.pathFilter())}
        />
      )}
    </Page>
  )
}
