'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { DECIDED } from '#components/kit/addresses/audit-search.ts'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { Avatar } from '#components/ui/avatar.tsx'
import type { Insights } from '#server/modules/review/insights/schema.ts'
import { FigureLink } from './figure-link.tsx'
import { type FigureColumn, LongFigureTable } from './figure-table.tsx'
import type { Lists } from './use-lists.ts'

type Row = Insights['people'][number]

export function ByPerson({ people, lists }: { people: Row[]; lists: Lists }) {
  const t = useTranslations('insights')
  const format = useFormatter()
  const span = useSpan()
  const columns: FigureColumn<Row>[] = [
    {
      id: 'person',
      header: t('person'),
      cell: ({ userId, displayName }) => (
        <span className="flex items-center gap-2.5">
          <Avatar name={userId === undefined ? t('tokens') : displayName} />
          {userId === undefined ? t('tokens') : <PersonLink person={{ userId, displayName }} />}
        </span>
      ),
    },
    {
      id: 'decided',
      header: t('decided'),
      cell: ({ userId, approved, rejected }) => (
        <FigureLink href={userId === undefined ? undefined : lists.audit({ actorId: userId, action: DECIDED })}>
          {format.number(approved + rejected)}
        </FigureLink>
      ),
    },
    { id: 'median', header: t('median'), cell: ({ medianMs }) => (medianMs === undefined ? '–' : span(medianMs)) },
    {
      id: 'approved',
      header: t('approved'),
      cell: ({ approved, rejected }) => format.number(approved / (approved + rejected), { style: 'percent' }),
    },
  ]
  return <LongFigureTable label={t('byPerson')} columns={columns} rows={people} idOf={({ userId }) => userId ?? ''} />
}
