'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { DECIDED } from '#components/kit/addresses/audit-search.ts'
import { Badge } from '#components/ui/badge.tsx'
import type { Insights, Waiting } from '#server/modules/review/insights/schema.ts'
import { FigureLink } from './figure-link.tsx'
import { type FigureColumn, LongFigureTable } from './figure-table.tsx'
import type { Lists } from './use-lists.ts'

interface ByCommunityProps {
  insights: Insights
  waiting: Waiting
  lists: Lists
}

interface Row {
  communityId: string
  displayName: string
  isHolding: boolean
  waiting: number
  decided: number
  medianMs: number | undefined
}

export function ByCommunity({ insights, waiting, lists }: ByCommunityProps) {
  const t = useTranslations('insights')
  const format = useFormatter()
  const span = useSpan()
  const columns: FigureColumn<Row>[] = [
    {
      id: 'community',
      header: t('community'),
      cell: ({ displayName, isHolding, waiting }) => (
        <>
          <bdi>{displayName}</bdi> {!isHolding && waiting > 0 && <Badge>{t('backlog')}</Badge>}
        </>
      ),
    },
    {
      id: 'waiting',
      header: t('waiting'),
      cell: ({ communityId, waiting }) => (
        <FigureLink href={waiting > 0 ? lists.queue({ communityId }) : undefined}>{format.number(waiting)}</FigureLink>
      ),
    },
    {
      id: 'decided',
      header: t('decided'),
      cell: ({ communityId, decided }) => (
        <FigureLink href={decided > 0 ? lists.audit({ communityId, action: DECIDED }) : undefined}>
          {format.number(decided)}
        </FigureLink>
      ),
    },
    { id: 'median', header: t('median'), cell: ({ medianMs }) => (medianMs === undefined ? '–' : span(medianMs)) },
  ]
  return (
    <LongFigureTable
      label={t('byCommunity')}
      columns={columns}
      rows={rowsOf(insights, waiting)}
      idOf={({ communityId }) => communityId}
    />
  )
}

/** Communities with decisions or pending items: most waiting first, then most decided. */
function rowsOf(insights: Insights, waiting: Waiting): Row[] {
  const waits = new Map(waiting.communities.map((space) => [space.communityId, space]))
  const busy = insights.communities.map(({ communityId, displayName, approved, rejected, medianMs }) => ({
    communityId,
    displayName,
    isHolding: waits.get(communityId)?.isHolding ?? true,
    waiting: waits.get(communityId)?.waiting ?? 0,
    decided: approved + rejected,
    medianMs,
  }))
  const known = new Set(busy.map(({ communityId }) => communityId))
  const idle = waiting.communities
    .filter(({ communityId }) => !known.has(communityId))
    .map((space) => ({ ...space, decided: 0, medianMs: undefined }))
  return [...busy, ...idle].sort((a, b) => b.waiting - a.waiting || b.decided - a.decided)
}
