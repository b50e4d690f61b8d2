'use client'
import { Fragment, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { LoadingRows } from '#components/kit/states/loading-rows.tsx'
import { useListTargetMs } from '#components/kit/targets/targets-context.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { comboOf } from '#components/ui/keys.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { NextFrame } from '#components/ui/next-frame.tsx'
import { useVirtualizer } from '#components/ui/use-virtualizer.ts'
import type { Choosing } from '../acts/bulk/use-selected-items.ts'
import { itemIdOf } from '../state/item-id.ts'
import type { Queue } from '../state/use-queue.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { rowId, type Selection, useRowFocus } from '../state/use-selection.ts'
import type { Totals } from '../views/use-totals.ts'
import { Backlog } from './backlog.tsx'
import { ListHead } from './list-head.tsx'
import { useScrollAnchor } from './live/use-scroll-anchor.ts'
import { QueueRow } from './queue-row.tsx'
import { pastTarget, targetIndex } from './target-line.ts'
import { TARGET_HEIGHT_PX, TargetDescription, TargetRule } from './target-rule.tsx'
import { useHeight } from './use-height.ts'

const NothingHere = lazyPart(() => import('./empty-queue.tsx').then(({ EmptyQueue }) => EmptyQueue), {
  isPlain: true,
})

/** Must match `--row` in app/tokens.css. */
const ROW_HEIGHT_REM = { comfortable: 4.25, compact: 2.125 }
const USUAL_TEXT_PX = 16
/** The next page is fetched this many rows before the end. */
const ROWS_BEFORE_END = 25
/** For screen readers, as ARIA defines it. */
const UNKNOWN_SIZE = -1
/** Room at the foot of the list for a toast, so that the first one doesn't move the rows. */
const TOAST_HEIGHT_PX = 84

interface QueueListProps {
  queue: Queue
  selection: Selection
  totals: Totals | undefined
  choosing: Choosing
  /** Returns whether there was something to do. */
  onKey: (combo: string) => boolean
}

/** The pending items. Renders after the next item, which the moderator is waiting for. */
export function QueueList({ toasts, ...shown }: QueueListProps & { toasts: ReactNode }) {
  const t = useTranslations('queue')
  const { view } = useQueueFilter().search
  const [foot, footRef] = useHeight()

  return (
    <section
      aria-label={t(`pages.${view}`)}
      className="relative flex min-h-0 min-w-0 flex-col border-e border-line-strong tablet:row-span-2 phone:border-0 phone:group-data-open/desk:hidden print:hidden"
    >
      <NextFrame>
        <List {...shown} footPx={Math.max(foot, TOAST_HEIGHT_PX)} />
      </NextFrame>
      <div ref={footRef} className="absolute inset-x-0 bottom-0 z-3">
        {toasts}
      </div>
    </section>
  )
}

/** `footPx` is the height of what covers the foot of the list: the current row is kept clear of it. */
function List({ queue, selection, totals, choosing, onKey, footPx }: QueueListProps & { footPx: number }) {
  const { list, rows } = queue
  // State rather than a ref: the scroller is an ancestor that mounts after the rows.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)

  return (
    <>
      <ListHead queue={queue} choosing={choosing} onShowNew={() => scroller?.scrollTo({ top: 0 })} />
      <Backlog />
      {list.data && list.isError && <ErrorState list={list} />}
      <div ref={setScroller} className="flex min-h-0 flex-1 flex-col overflow-auto">
        {list.isPending && <LoadingRows />}
        {list.isLoadingError && <ErrorState list={list} />}
        {list.data && rows.length === 0 && !list.hasNextPage && (
          <NothingHere totals={totals} narrowedTo={queue.narrowedTo} skipped={queue.skipped} />
        )}
        {list.data && rows.length === 0 && list.hasNextPage && <FurtherRows list={list} />}
        {rows.length > 0 && (
          <Rows
            scroller={scroller}
            queue={queue}
            selection={selection}
            choosing={choosing}
            total={totals?.matching}
            onKey={onKey}
            footPx={footPx}
          />
        )}
      </div>
    </>
  )
}

/** The person's text size, in CSS pixels: rows grow with it. */
function rootTextPx(): number {
  if (typeof window === 'undefined') return USUAL_TEXT_PX
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL_TEXT_PX
}

/** Every loaded row is being decided, and more are pending. */
function FurtherRows({ list }: Pick<Queue, 'list'>) {
  useFurther(list, true)
  return <LoadingRows />
}

/** Fetches the next page while the end is near. The list renders a frame late, by which time a page may already have arrived. */
function useFurther(list: Queue['list'], isNear: boolean): void {
  const { data, hasNextPage, isFetching, isError } = list
  const wantsMore = isNear && hasNextPage && !isFetching && !isError
  const fetchMore = useEffectEvent(() => void list.fetchNextPage({ cancelRefetch: false }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page can require the next one
  useEffect(() => {
    if (wantsMore) fetchMore()
  }, [wantsMore, data])
}

interface RowsProps {
  scroller: HTMLDivElement | null
  queue: Queue
  selection: Selection
  choosing: Choosing
  total: number | undefined
  onKey: (combo: string) => boolean
  footPx: number
}

function Rows({ scroller, queue: { list, rows, before }, selection, choosing, total, onKey, footPx }: RowsProps) {
  const t = useTranslations('queue')
  const { now } = useTimes()
  const { density } = usePreferences().preferences
  const { order, text, view, communityId } = useQueueFilter().search
  const targetMs = useListTargetMs(communityId)
  const target = targetMs === undefined ? undefined : targetIndex(rows, order, { now, targetMs })
  const size = Math.max(total ?? 0, rows.length)
  // Otherwise rows are numbered, as of a list whose length isn't known.
  const isCounted = before.at(-1) !== undefined
  const overdue = target !== undefined &&
    targetMs !== undefined && {
      past: pastTarget({ before: before[target], order, total: size }),
      targetMs,
    }
  const [textPx] = useState(rootTextPx)
  const rowPx = ROW_HEIGHT_REM[density] * textPx

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => rowPx + (index === target ? TARGET_HEIGHT_PX : 0),
    getItemKey: (index) => {
      const row = rows[index]
      return row ? itemIdOf(row) : index
    },
    initialRect: { height: 800 },
    overscan: 3,
    paddingEnd: footPx,
    scrollPaddingEnd: footPx,
    // Keeps the focused row mounted however far the list is scrolled.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(0, startIndex - overscan)
      const last = Math.min(count - 1, endIndex + overscan)
      const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
      const { index } = selection
      return index === -1 || (index >= first && index <= last) ? shown : [...shown, index].sort((a, b) => a - b)
    },
  })

  useScrollAnchor(virtualizer, rows)
  useRowFocus(selection)

  const bringIntoView = useEffectEvent(() => {
    if (selection.index !== -1) virtualizer.scrollToIndex(selection.index, { align: 'auto' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list scrolls when the current row changes or is covered, not when rows arrive
  useEffect(() => bringIntoView(), [selection.currentId, scroller, footPx])

  const lastShown = virtualizer.getVirtualItems().at(-1)?.index ?? 0
  useFurther(list, lastShown >= rows.length - ROWS_BEFORE_END)

  return (
    <>
      {overdue && <TargetDescription {...overdue} id="queue-target" />}
      <div
        role="listbox"
        aria-label={t(`pages.${view}`)}
        aria-describedby={overdue ? 'queue-keys queue-target' : 'queue-keys'}
        aria-multiselectable={choosing.isChoosing}
        aria-activedescendant={selection.current && rowId(itemIdOf(selection.current))}
        onKeyDown={(event) => onKey(comboOf(event.nativeEvent) ?? '') && event.preventDefault()}
        tabIndex={-1}
        className="relative w-full shrink-0 outline-none"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const item = rows[index]
          if (!item) return null
          const isTarget = index === target
          const isCurrent = index === selection.index
          return (
            <Fragment key={key}>
              {isTarget && overdue && <TargetRule {...overdue} top={start} />}
              <QueueRow
                item={item}
                isCurrent={isCurrent}
                isStop={isCurrent || (selection.index === -1 && index === 0)}
                position={(isCounted ? (before[index] ?? index) : index) + 1}
                size={isCounted ? size : UNKNOWN_SIZE}
                style={{ top: start + (isTarget ? TARGET_HEIGHT_PX : 0) }}
                words={text}
                choosing={choosing}
                onOpen={() => selection.open(itemIdOf(item))}
              />
            </Fragment>
          )
        })}
      </div>
    </>
  )
}
