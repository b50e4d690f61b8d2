'use client'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { UndoLabel, UndoLine } from '#components/kit/acts/undo-line.tsx'
import { UNDO_WINDOW_SECONDS } from '#components/kit/acts/undo-window.ts'
import { ExceptionList } from '#components/kit/bulks/item-lists.tsx'
import { markSeen, markShown, readShownBulks, useSeenBulks } from '#components/kit/bulks/seen-bulks.ts'
import { toSeen } from '#components/kit/bulks/to-seen.ts'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { useNowUntil } from '#components/kit/times/use-now-until.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { BulkProgress, PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { RefusedAccounts } from './refused-accounts.tsx'
import { isUndoable, undoEndsAt } from './undo-ends-at.ts'
import { useBulkProgress, type Watching } from './use-bulk-progress.ts'

/** How long the toast stays after the undo time ends. */
const STANDS_FOR_MS = 3_000

interface BulkToastsProps extends Watching {
  bulks: BulkProgress[]
  /** The one that the key for undo would undo. */
  keyedId: string | undefined
  onUndo: (bulk: BulkProgress) => void
}

/**
 * Each bulk action: its progress, its result, what it left out and why, and one undo for all of it. Unless it can still be undone, a result isn't
 * shown that an earlier page has shown, or that was there before this page and left nothing out.
 */
export function BulkToasts({ bulks, keyedId, ...acts }: BulkToastsProps) {
  const seen = useSeenBulks()
  const [shownBefore] = useState(() => [...readShownBulks(), ...bulks.filter(isPlain).map(({ bulkId }) => bulkId)])
  const isOver = (bulk: BulkProgress) =>
    bulk.isFinished &&
    (seen?.includes(bulk.bulkId) || (shownBefore.includes(bulk.bulkId) && !isUndoable(bulk, Date.now())))
  const [latest, ...earlier] = bulks.filter((bulk) => seen && !isOver(bulk))
  // Small groups follow each other quickly: of those before the latest, only what is to be read stays.
  const shown = latest ? [latest, ...earlier.filter((bulk) => !isPlain(bulk))] : []
  return shown.map((bulk) => <BulkToast key={bulk.bulkId} bulk={bulk} hasKey={bulk.bulkId === keyedId} {...acts} />)
}

interface BulkToastProps extends Omit<BulkToastsProps, 'bulks' | 'keyedId'> {
  bulk: BulkProgress
  hasKey: boolean
}

function BulkToast({ bulk, hasKey, onUndo, ...watching }: BulkToastProps) {
  const t = useTranslations('many')
  const { bulkId, isFinished, isUndone, refused } = bulk
  const reach = useBulkProgress(bulk, watching)
  const endsAt = undoEndsAt(bulk)
  const now = useNowUntil(isFinished ? (endsAt ?? 0) + STANDS_FOR_MS : Number.POSITIVE_INFINITY)
  const left = isFinished && !isUndone ? (endsAt ?? 0) - now : 0

  const isOver = isPlain(bulk) && endsAt !== undefined && now > endsAt + STANDS_FOR_MS
  useEffect(() => {
    if (isOver) markSeen(bulkId)
  }, [isOver, bulkId])
  useEffect(() => {
    if (isFinished) markShown(bulkId)
  }, [isFinished, bulkId])

  if (isOver) return null
  return (
    <section
      aria-label={t('toast')}
      className="relative animate-appear overflow-hidden rounded-3 bg-raised ps-3 pe-2.5 pt-[11px] pb-[9px] shadow-pop forced-colors:border"
    >
      {left > 0 && <UndoLine left={left} />}
      {!isFinished && <Progress bulk={bulk} />}
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap gap-x-1.5 text-ink">
            <Headline bulk={bulk} />
          </p>
          <Sanctioned bulk={bulk} />
          <p className="text-small text-ink-3">
            {isFinished ? <Standing bulk={bulk} left={left} /> : <ToGo bulk={bulk} reach={reach} now={now} />}
          </p>
        </div>
        {isUndoable(bulk, now) && (
          <Button onPress={() => onUndo(bulk)}>
            <BulkUndoLabel count={bulk.done} left={left} />
            {hasKey && <ActKeycap act="takeBack" className="phone:hidden" />}
          </Button>
        )}
        {isFinished && left <= 0 && (
          <Button look="icon" aria-label={t('dismiss')} onPress={() => markSeen(bulkId)}>
            <X />
          </Button>
        )}
      </div>
      {isFinished && refused.length > 0 && <Left bulk={bulk} />}
      {isFinished && <Unsanctioned bulk={bulk} />}
    </section>
  )
}

/** There is no countdown while the bulk is still running. */
function BulkUndoLabel({ count, left }: { count: number; left: number }) {
  const t = useTranslations('many')
  return (
    <UndoLabel undo={t('undo')} of={t('undoOf', { count })} widest={t('undoWithin', { seconds: UNDO_WINDOW_SECONDS })}>
      {left > 0 ? t('undoWithin', { seconds: Math.ceil(left / 1000) }) : t('undo')}
    </UndoLabel>
  )
}

function Headline({ bulk: { outcome, total, done, undone, isFinished, isUndone } }: { bulk: BulkProgress }) {
  const t = useTranslations('many')
  const words = { b: (text: ReactNode) => <b className="font-firm">{text}</b> }
  if (isUndone)
    return t.rich(isFinished ? 'takenBack' : 'takingBack', { ...words, count: undone, total: undone + done })
  return (
    <>
      <OutcomeWord outcome={outcome} /> {t.rich('soMany', { ...words, count: done, total })}
    </>
  )
}

/** Whether it did, or undid, everything: there is nothing to read after its undo time. */
function isPlain(bulk: BulkProgress): boolean {
  const { isFinished, isUndone, refused, waiting } = bulk
  return isFinished && refused.length + refusedAccounts(bulk).length === 0 && (isUndone || waiting === 0)
}

/** Who isn't banned or muted, or still is after an undo, for another reason than that the person left out what they wrote. */
const refusedAccounts = ({ sanctions }: BulkProgress) =>
  (sanctions?.refused ?? []).filter(({ why }) => why !== 'EXCEPTED')

function Unsanctioned({ bulk }: { bulk: BulkProgress }) {
  const t = useTranslations('many.sanctions')
  const { sanctions, isUndone } = bulk
  const refused = refusedAccounts(bulk)
  if (!sanctions || refused.length === 0) return null
  const { sanction } = sanctions
  return (
    <div className="mt-2">
      <RefusedAccounts
        label={t(`${sanction}.${isUndone ? 'notLifted' : 'notDone'}`)}
        sanction={sanction}
        refused={refused}
      />
    </div>
  )
}

/** How many accounts were banned or muted with it. */
function Sanctioned({ bulk: { sanctions, waiting, isFinished, isUndone } }: { bulk: BulkProgress }) {
  const t = useTranslations('many.sanctions')
  if (!sanctions) return null
  const { sanction, done, undone } = sanctions
  if (isUndone) return undone > 0 && <p className="text-ink-2">{t(`${sanction}.lifted`, { count: undone })}</p>
  if (!isFinished && waiting === 0)
    return <p className="text-ink-2">{t(`${sanction}.working`, { count: sanctions.waiting })}</p>
  return done > 0 && <p className="text-ink-2">{t(`${sanction}.done`, { count: done })}</p>
}

/** The final state of a finished bulk. */
function Standing({ bulk: { isUndone, waiting, startedAt }, left }: { bulk: BulkProgress; left: number }) {
  const t = useTranslations('many')
  const times = useTimes()
  if (isUndone) return t('allWait')
  const stands = left > 0 ? '' : t('stands', { time: times.brief(startedAt) })
  return waiting > 0 ? `${stands} ${t('abandoned', { count: waiting })}` : stands
}

interface ToGoProps {
  bulk: BulkProgress
  reach: ReturnType<typeof useBulkProgress>
  now: number
}

/** The estimated time left at the speed so far, or a note that the server continues in the background. */
function ToGo({ bulk, reach, now }: ToGoProps) {
  const t = useTranslations('many')
  const toDo = toDoOf(bulk)
  const [begun, setBegun] = useState({ at: now, toDo, isUndone: bulk.isUndone })
  if (begun.isUndone !== bulk.isUndone) setBegun({ at: now, toDo, isUndone: bulk.isUndone })
  if (reach !== 'reached') return t(reach)
  const did = begun.toDo - toDo
  if (did <= 0) return t('nobodyYet')
  return t('toGo', { seconds: Math.max(1, Math.ceil((toDo * (now - begun.at)) / did / 1000)) })
}

/** The progress bar on the top edge of the toast, with numbers for screen readers. */
function Progress({ bulk }: { bulk: BulkProgress }) {
  const t = useTranslations('many')
  const { total, isUndone, done, undone } = bulk
  const all = isUndone ? done + undone : total
  const value = all - toDoOf(bulk)
  return (
    <div
      role="progressbar"
      aria-label={t(isUndone ? 'progressBack' : 'progress')}
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={value}
      aria-valuetext={t('progressText', { count: value, total: all })}
      className="absolute inset-x-0 top-0 h-[3px]"
    >
      <span
        style={{ scale: `${all === 0 ? 1 : value / all} 1` }}
        className="block h-full origin-left bg-ink transition-[scale] duration-250 ease-linear forced-color-adjust-none motion-reduce:transition-none rtl:origin-right"
      />
    </div>
  )
}

const toDoOf = ({ isUndone, waiting, done }: BulkProgress) => (isUndone ? done : waiting)

const canBeHeld = ({ subjectType }: Subject) => subjectType === 'comment' || subjectType === 'post'

/** Exactly which items were left unchanged, and why. */
function Left({ bulk: { bulkId, refused, isUndone } }: { bulk: BulkProgress }) {
  const t = useTranslations('many')
  const client = useTRPCClient()
  const { data } = useQuery({
    queryKey: ['bulk left', bulkId, isUndone],
    queryFn: () => client.bulk.preview.mutate({ items: refused.filter(canBeHeld).map(toSeen) }),
    enabled: refused.some(canBeHeld),
    staleTime: Number.POSITIVE_INFINITY,
  })
  /** A claim that kept an item out may have ended since; what was published and never held is in no queue. */
  function asRefused(item: PreviewedItem): PreviewedItem {
    const failure = refused.find((one) => itemIdOf(one) === itemIdOf(item))?.failure
    if (failure === 'CLAIMED' && !item.error) return { ...item, error: failure }
    return failure === 'CHANGED' && item.error === 'NOT_FOUND' ? { ...item, error: failure } : item
  }
  return (
    <div className="mt-2 grid gap-1">
      <p className="text-small">{t(isUndone ? 'notBack' : 'stayed', { count: refused.length })}</p>
      {data && <ExceptionList items={data.items.map(asRefused)} />}
    </div>
  )
}
