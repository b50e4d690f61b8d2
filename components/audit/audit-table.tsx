'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { ListedAuditEntry as AuditEntry } from '#server/modules/desk/audit/schema.ts'
import { useActorName } from './actor.tsx'
import { useActionLabel } from './use-action-label.ts'

/** Entries, each row opening its details. Entries of one request are grouped under its time. */
export function AuditTable({ entries, onOpen }: { entries: AuditEntry[]; onOpen: (auditId: string) => void }) {
  const t = useTranslations('audit')
  const times = useTimes()
  const words = useActionLabel()
  const actorName = useActorName()
  const sameAsAbove = new Set(
    entries.filter((entry, index) => isSameAct(entry, entries[index - 1])).map(({ auditId }) => auditId),
  )
  const columns: TableColumn<AuditEntry>[] = [
    {
      id: 'at',
      header: t('when'),
      hiddenOn: 'phone',
      cell: ({ auditId, at }) =>
        sameAsAbove.has(auditId) ? (
          <span className="text-ink-3">{t('sameAct')}</span>
        ) : (
          <time dateTime={at} title={times.precise(at)} className="whitespace-nowrap text-ink-2 tabular-nums">
            {times.exact(at)}
          </time>
        ),
    },
    {
      id: 'actor',
      header: t('who'),
      hiddenOn: 'phone',
      cell: ({ auditId, actor }) => (
        <span
          className={`block min-w-[14ch] wrap-anywhere narrow:min-w-0 ${sameAsAbove.has(auditId) ? 'text-ink-3' : ''}`}
        >
          <bdi>{actorName(actor)}</bdi>
          {actor.isDeleted && <span className="font-normal text-ink-3"> {t('gone')}</span>}
        </span>
      ),
    },
    {
      id: 'act',
      header: t('act'),
      isRowHeader: true,
      cell: ({ at, action, actor }) => (
        <>
          <span className="block min-w-[24ch] narrow:min-w-0">{words.action(action)}</span>
          <span className="hidden text-small font-normal text-ink-3 phone:block">
            {t.rich('byAt', { who: () => <bdi>{actorName(actor)}</bdi>, time: times.precise(at) })}
          </span>
        </>
      ),
    },
    { id: 'subject', header: t('onWhat'), hiddenOn: 'phone', cell: ({ subject }) => <SubjectName subject={subject} /> },
    {
      id: 'space',
      header: t('where'),
      hiddenOn: 'narrow',
      isEmptyFor: ({ community, channel }) => !community && !channel,
      cell: ({ community, channel }) => (
        <bdi className="block min-w-[14ch] wrap-anywhere text-ink-3">
          {community?.displayName ?? channel?.displayName}
        </bdi>
      ),
    },
    {
      id: 'source',
      header: t('from'),
      hiddenOn: 'phone',
      cell: ({ source }) => <span className="text-ink-3">{t(`sources.${source}`)}</span>,
    },
  ]
  return (
    <div className="[--edge:18px]">
      <DataTable label={t('acts')} columns={columns} items={entries} idOf={({ auditId }) => auditId} onOpen={onOpen} />
    </div>
  )
}

/** A name; the author and the beginning of a text; or the id, where there is nothing else. */
function SubjectName({ subject: { id, name, author, excerpt, isDeleted } }: { subject: AuditEntry['subject'] }) {
  const t = useTranslations('audit')
  if (excerpt !== undefined) {
    return (
      <span className="line-clamp-2 wrap-anywhere">
        {author && <bdi className="me-1 text-ink-2">{t('authorOf', { author })}</bdi>}
        <bdi className="font-member">
          <CoveredLine isFlagged={false}>{excerpt}</CoveredLine>
        </bdi>
      </span>
    )
  }
  return (
    <span className="wrap-anywhere">
      {name === undefined ? <code className="font-code text-small text-ink-3">{id}</code> : <bdi>{name}</bdi>}
      {isDeleted && <span className="text-ink-3"> {t('gone')}</span>}
    </span>
  )
}

/** Docket's own background acts all share one request id. */
function isSameAct(entry: AuditEntry, above: AuditEntry | undefined): boolean {
  return entry.actor.kind !== 'system' && entry.requestId === above?.requestId
}
