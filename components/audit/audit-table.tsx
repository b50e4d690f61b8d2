'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { ListedAuditEntry as AuditEntry } from '#server/modules/desk/audit/schema.ts'
import { useActorName } from './actor.tsx'
import { type FoldedEntry, foldEntries } from './fold-entries.ts'
import { SubjectName } from './subject-name.tsx'
import { useActionLabel } from './use-action-label.ts'

/** Entries, each row opening its details, or the entries folded into it. Entries of one request are grouped under its time. */
export function AuditTable({ entries, onOpen }: { entries: AuditEntry[]; onOpen: (auditId: string) => void }) {
  const t = useTranslations('audit')
  const times = useTimes()
  const words = useActionLabel()
  const actorName = useActorName()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const rows = foldEntries(entries, unfolded)
  const sameAsAbove = new Set(
    rows.filter(({ entry }, index) => isSameAct(entry, rows[index - 1]?.entry)).map(({ entry }) => entry.auditId),
  )

  function open(auditId: string): void {
    const isFolded = rows.some(({ entry, entries }) => entry.auditId === auditId && entries.length > 1)
    if (isFolded) setUnfolded(new Set([...unfolded, auditId]))
    else onOpen(auditId)
  }

  const columns: TableColumn<FoldedEntry>[] = [
    {
      id: 'at',
      header: t('when'),
      hiddenOn: 'phone',
      cell: ({ entry: { auditId, at } }) =>
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
      cell: ({ entry: { auditId, actor } }) => (
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
      cell: ({ entry, entries: { length: count } }) => (
        <>
          <span className="block min-w-[24ch] narrow:min-w-0">
            {count === 1 ? words.action(entry.action) : t('folded', { action: words.action(entry.action), count })}
          </span>
          {count === 1 && (
            <span className="hidden font-normal phone:block">
              <SubjectName entry={entry} />
            </span>
          )}
          <span className="hidden text-small font-normal text-ink-3 phone:block">
            {t.rich('byAt', { who: () => <bdi>{actorName(entry.actor)}</bdi>, time: times.precise(entry.at) })}
          </span>
        </>
      ),
    },
    {
      id: 'subject',
      header: t('onWhat'),
      hiddenOn: 'phone',
      cell: ({ entry, entries }) =>
        entries.length === 1 ? (
          <SubjectName entry={entry} />
        ) : (
          <span className="text-ink-3">{t('unfold', { count: entries.length })}</span>
        ),
    },
    {
      id: 'space',
      header: t('where'),
      hiddenOn: 'narrow',
      isEmptyFor: ({ entry: { community, channel } }) => !community && !channel,
      cell: ({ entry: { community, channel }, entries }) => (
        <bdi className="block min-w-[14ch] wrap-anywhere text-ink-3">
          {areInOneSpace(entries) && (community?.displayName ?? channel?.displayName)}
        </bdi>
      ),
    },
    {
      id: 'source',
      header: t('from'),
      hiddenOn: 'phone',
      cell: ({ entry: { source } }) => <span className="text-ink-3">{t(`sources.${source}`)}</span>,
    },
  ]
  return (
    <div className="[--edge:18px]">
      <DataTable label={t('acts')} columns={columns} items={rows} idOf={({ entry }) => entry.auditId} onOpen={open} />
    </div>
  )
}

const areInOneSpace = ([first, ...others]: AuditEntry[]) =>
  others.every(
    ({ community, channel }) =>
      community?.communityId === first?.community?.communityId && channel?.channelId === first?.channel?.channelId,
  )

/** Docket's own background acts all share one request id. */
function isSameAct(entry: AuditEntry, above: AuditEntry | undefined): boolean {
  return entry.actor.kind !== 'system' && entry.requestId === above?.requestId
}
