'use client'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { toAuditPath } from '#components/kit/addresses/audit-search.ts'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { Trail, TrailStep } from '#components/kit/review/trail.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { CopyId } from '#components/ui/copy-id.tsx'
import { Sheet } from '#components/ui/sheet.tsx'
import { useOpenTitle } from '#components/ui/use-open-title.ts'
import type { ListedAuditDetails as AuditDetails } from '#server/modules/desk/audit/schema.ts'
import { Actor } from './actor.tsx'
import { changesOf, type FieldChange } from './changes-of.ts'
import { SubjectName } from './subject-name.tsx'
import { useActionLabel } from './use-action-label.ts'
import { useDetail } from './use-detail.ts'

/** The text of a sign-in is the address it came from. */
const ADDRESSED = ['staff.signedIn', 'staff.signInFailed']

interface EntrySheetProps {
  auditId: string
  onOpen: (auditId: string) => void
  onClose: () => void
}

/** One entry in full: the states before and after, the note, and the other entries of the same request. */
export function EntrySheet({ auditId, onOpen, onClose }: EntrySheetProps) {
  const t = useTranslations('audit')
  const read = useQuery(useTRPC().audit.entry.queryOptions({ auditId }))
  const words = useActionLabel()
  const action = read.data && words.action(read.data.action)
  useOpenTitle(action)
  return (
    <Sheet title={action ?? t('entry')} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className="grid gap-4 px-3.5 pt-2 pb-4">
        <QueryState query={read} />
        {read.data && <Entry entry={read.data} onOpen={onOpen} />}
      </div>
    </Sheet>
  )
}

function Entry({ entry, onOpen }: { entry: AuditDetails; onOpen: (auditId: string) => void }) {
  const t = useTranslations('audit')
  const format = useFormatter()
  const times = useTimes()
  const words = useActionLabel()
  const { subject, community, channel, sameAct } = entry
  const changes = changesOf(entry.before, entry.after)
  return (
    <>
      <dl className="grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={t('when')}>
          <time dateTime={entry.at}>{times.precise(entry.at)}</time>
        </Fact>
        <Fact name={t('who')}>
          <Actor actor={entry.actor} />
        </Fact>
        <Fact name={t('onWhat')}>
          <SubjectLine entry={entry} />
          {subject.excerpt !== undefined && (
            <span dir="auto" className="font-member wrap-anywhere text-ink-2">
              <CoveredLine isFlagged={false}>{subject.excerpt}</CoveredLine>
            </span>
          )}
          <CopyId id={subject.id} />
          <span className="flex flex-wrap gap-x-3 text-small">
            <Link href={toAuditPath({ subjectId: subject.id })} className="inline-flex min-h-6 items-center">
              {t('allOnIt')}
            </Link>
            {subject.type === 'user' && (
              <Link href={toUserPath(subject.id)} className="inline-flex min-h-6 items-center">
                {t('theirPage')}
              </Link>
            )}
          </span>
        </Fact>
        {(community ?? channel) && (
          <Fact name={t('where')}>
            <bdi className="wrap-anywhere">{community?.displayName ?? channel?.displayName}</bdi>
          </Fact>
        )}
        <Fact name={t('from')}>{t(`sources.${entry.source}`)}</Fact>
        <Fact name={t('request')}>
          <CopyId id={entry.requestId} />
        </Fact>
        <Fact name={t('seal')}>
          {entry.seal === undefined ? t('notSealed') : t('sealed', { seal: format.number(Number(entry.seal)) })}
        </Fact>
      </dl>
      {(entry.words !== undefined || entry.areWordsErased) && (
        <Part title={t(ADDRESSED.includes(entry.action) ? 'address' : 'words')}>
          {entry.words === undefined ? (
            <p className="text-ink-3">{t('wordsErased')}</p>
          ) : (
            <p dir="auto" className="font-member whitespace-pre-wrap wrap-anywhere text-ink">
              {entry.words}
            </p>
          )}
        </Part>
      )}
      <Part title={t('changes')}>
        {changes.length === 0 ? <p className="text-ink-3">{t('noChanges')}</p> : <Changes changes={changes} />}
      </Part>
      {sameAct.length > 1 && (
        <Part title={t('togetherWith')}>
          <Trail>
            {sameAct.map((one) => (
              <TrailStep
                key={one.auditId}
                isTight
                node={one.auditId === entry.auditId ? 'now' : 'plain'}
                nodeColour={one.auditId === entry.auditId ? 'bg-accent' : ''}
              >
                <button
                  type="button"
                  aria-current={one.auditId === entry.auditId ? 'true' : undefined}
                  onClick={() => onOpen(one.auditId)}
                  className="min-h-6 text-start wrap-anywhere text-ink underline decoration-line-control underline-offset-3 aria-[current]:font-bold aria-[current]:no-underline"
                >
                  {words.action(one.action)}, <SubjectName entry={one} />
                </button>
              </TrailStep>
            ))}
          </Trail>
        </Part>
      )}
    </>
  )
}

/** What kind of thing, its name or its author. */
function SubjectLine({ entry }: { entry: AuditDetails }) {
  const t = useTranslations('audit')
  const words = useActionLabel()
  const detail = useDetail()(entry)
  const { subject } = entry
  return (
    <span className="wrap-anywhere">
      {words.thing(subject.type)}
      {subject.name !== undefined && <bdi> {subject.name}</bdi>}
      {detail !== undefined && ` (${detail})`}
      {subject.author !== undefined && <bdi> {t('authorOf', { author: subject.author })}</bdi>}
      {subject.isDeleted && <span className="text-ink-3"> {t('gone')}</span>}
    </span>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start text-ink">{children}</dd>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 border-b border-line-strong pb-0.5 font-bold text-ink">{title}</h3>
      {children}
    </section>
  )
}

/** Old values are struck out, new ones underlined: colour is never the only sign. */
function Changes({ changes }: { changes: FieldChange[] }) {
  const t = useTranslations('audit')
  return (
    <dl className="grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1">
      {changes.map(({ field, before, after, isChanged, isList }) => (
        <Fact key={field} name={field}>
          {isChanged ? (
            <span className="grid justify-items-start gap-0.5">
              {before !== undefined && (
                <del className="bg-reject-tint px-1 wrap-anywhere text-reject">
                  <span className="sr-only">{t(isList ? 'removed' : 'was')} </span>
                  {before}
                </del>
              )}
              {after !== undefined && (
                <ins className="bg-approve-tint px-1 wrap-anywhere text-approve">
                  <span className="sr-only">{t(isList ? 'added' : 'is')} </span>
                  {after}
                </ins>
              )}
            </span>
          ) : (
            <span className="wrap-anywhere text-ink-3">{after}</span>
          )}
        </Fact>
      ))}
    </dl>
  )
}
