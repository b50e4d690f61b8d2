'use client'
import { Flag } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { keyOf } from '#components/kit/bulks/to-seen.ts'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { ContentRecord } from '#server/modules/people/schema.ts'
import { Excerpt } from '../excerpt.tsx'
import { WhenLink } from '../when-link.tsx'
import type { ContentSelection } from './use-content-selection.ts'

interface ContentTableProps {
  items: ContentRecord[]
  authorId: string
  selection: ContentSelection
  /** Whether other rows are on their way. */
  isStale: boolean
}

/** What the person wrote, each with its state and, where there is one, the decision on it. */
export function ContentTable({ items, authorId, selection, isStale }: ContentTableProps) {
  const t = useTranslations('users')
  const whyNot = useWhyNot()
  const columns: TableColumn<ContentRecord>[] = [
    { id: 'what', header: t('decide.entry'), isRowHeader: true, cell: (item) => <ContentCell item={item} /> },
    {
      id: 'written',
      header: t('decide.written'),
      align: 'end',
      cell: (item) => (
        <span className="text-small whitespace-nowrap text-ink-3">
          <WhenLink at={item.writtenAt} subjectId={item.subjectId} heldAs={heldAs(item, authorId)} />
        </span>
      ),
    },
  ]
  return (
    <DataTable
      label={t('content')}
      columns={columns}
      items={items}
      idOf={keyOf}
      {...(selection.isOffered && {
        selection: {
          selected: new Set(selection.selected.keys()),
          onChange: selection.chooseLoaded,
          isDisabled: isStale,
          whyNot,
        },
      })}
    />
  )
}

function heldAs({ subjectType, state }: ContentRecord, authorId: string) {
  return state === 'held' && subjectType !== 'message' ? { subjectType, authorId } : undefined
}

/** Why an entry can't be selected, in words. */
function useWhyNot(): (item: ContentRecord) => string | undefined {
  const t = useTranslations('users.decide.whyNot')
  return ({ whyNot, claimedByName }) => whyNot && t(whyNot, { who: claimedByName ?? 'none' })
}

const STATE_COLOURS = { held: 'text-ink', published: 'text-ink-2', rejected: 'text-reject', removed: 'text-ink-3' }

function ContentCell({ item }: { item: ContentRecord }) {
  const t = useTranslations('users')
  const whyNot = useWhyNot()
  const { subjectType, state, community, channel, isReported, excerpt } = item
  const space = community ?? channel
  const isBlocked = item.whyNot !== undefined && item.whyNot !== 'OVER'
  return (
    <div className="grid gap-0.5 py-1 font-normal">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-ink-3">
        <span className={`font-firm ${STATE_COLOURS[state]}`}>{t(`contentStates.${state}`)}</span>
        <span>
          {t(`contentKinds.${subjectType}`)}
          {space && t('inSpace', { space: space.displayName })}
        </span>
        {isReported && (
          <Badge look="warn">
            <Flag />
            {t('contentStates.reported')}
          </Badge>
        )}
        {isBlocked && <span>{whyNot(item)}</span>}
      </div>
      {excerpt && <Excerpt isFlagged={isReported === true}>{excerpt}</Excerpt>}
      <Outcome item={item} />
    </div>
  )
}

/** What was decided last; nothing where nobody decided. */
function Outcome({ item: { state, decision, removal, rejectedByRulesAt } }: { item: ContentRecord }) {
  const t = useTranslations('users')
  const times = useTimes()
  const at = (moment: string) => () => <time title={times.exact(moment)}>{times.brief(moment)}</time>
  const line = lineOf()
  const reason = state === 'removed' ? undefined : decision?.reason
  if (!line && reason === undefined) return null
  return (
    <p className="text-small wrap-anywhere text-ink-3">
      {line}
      {reason !== undefined && ` ${t('reason', { reason })}`}
    </p>
  )

  function lineOf() {
    if (state === 'held') return null
    if (state === 'removed' && removal) {
      const { by } = removal
      return by
        ? t.rich('removedBy', { who: () => <PersonLink person={by} />, time: at(removal.at) })
        : t.rich('removedAt', { time: at(removal.at) })
    }
    if (rejectedByRulesAt !== undefined) return t.rich('rejectedByRules', { time: at(rejectedByRulesAt) })
    if (!decision) return null
    return t.rich('contentDecided', {
      outcome: decision.outcome,
      who: () => <PersonLink person={decision.by} />,
      time: at(decision.at),
    })
  }
}
