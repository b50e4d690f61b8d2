'use client'
import { ArrowUpFromDot, Check, Flag, Image, Video } from 'lucide-react'
import { type CSSProperties, type MouseEvent, memo } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { AGE_TEXT, ageLevel } from '#components/kit/review/age.ts'
import { AgeLine } from '#components/kit/review/age-line.tsx'
import { useTargetMs } from '#components/kit/targets/targets-context.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Highlight } from '#components/ui/highlight.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { Choosing } from '../acts/bulk/use-selected-items.ts'
import { ClaimSign } from '../claims/claim-sign.tsx'
import { LeaseAvatar } from '../claims/lease-avatars.tsx'
import { itemIdOf, spaceOf } from '../state/item-id.ts'
import { rowId } from '../state/use-selection.ts'

export interface QueueRowProps {
  item: QueueItem
  isCurrent: boolean
  /** Whether the row is the list's tab stop. */
  isStop: boolean
  position: number
  size: number
  style: CSSProperties
  /** The search words to highlight. */
  words: string | null
  choosing: Pick<Choosing, 'isChoosing' | 'isOn' | 'isOffered' | 'isSelected' | 'toggle' | 'chooseTo'>
  onOpen: () => void
}

export function QueueRow({ item, isCurrent, isStop, position, size, style, words, choosing, onOpen }: QueueRowProps) {
  const isChosen = choosing.isSelected(item)

  function press({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
    if (!choosing.isOffered) onOpen()
    else if (isOnTick(target)) choosing.toggle(item)
    else if (shiftKey) choosing.chooseTo(item)
    else if (ctrlKey || metaKey || choosing.isOn) choosing.toggle(item)
    else onOpen()
  }

  return (
    // The list listens for the keys of its rows.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is handled by the list
    <div
      id={rowId(itemIdOf(item))}
      role="option"
      aria-selected={choosing.isChoosing ? isChosen : isCurrent}
      data-current={isCurrent || undefined}
      aria-posinset={position}
      aria-setsize={size}
      tabIndex={isStop ? 0 : -1}
      onClick={press}
      // Shift selects a range of rows, not text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      style={style}
      className="group/row ring-inset absolute inset-x-0 grid h-row contain-strict cursor-default grid-cols-[minmax(0,1fr)_auto] content-start gap-x-3 border-b border-line ps-7 pe-3 pt-[0.4375rem] outline-focus hover:bg-hover aria-selected:bg-selected data-current:outline-2 data-current:-outline-offset-2 compact:grid-flow-col-dense compact:grid-cols-[84px_minmax(0,1fr)_auto_auto] compact:content-center compact:items-center compact:gap-x-2 compact:pt-0 compact:*:row-start-1"
    >
      {choosing.isOffered && <Tick isOn={isChosen} isShown={choosing.isChoosing} />}
      <RowWords item={item} words={words} />
    </div>
  )
}

/** Each decision moves every row below it. Memoised, so that only the position is recalculated. */
const RowWords = memo(function RowWords({ item, words }: Pick<QueueRowProps, 'item' | 'words'>) {
  const t = useTranslations('queue')
  const reported = useTranslations('reported')
  const ui = useTranslations('ui')
  const span = useSpan()
  const times = useTimes()
  const heldForMs = times.now - Date.parse(item.heldAt)
  const exact = times.exact(item.heldAt)
  const text = item.isClosed ? reported('conversation.closed') : (item.match ?? item.text)
  const targetMs = useTargetMs(item.community?.communityId)
  const level = ageLevel(heldForMs, targetMs)

  return (
    <>
      <AgeLine level={level} />
      <span className="flex min-w-0 items-baseline gap-1.5 overflow-hidden text-small whitespace-nowrap text-ink-3 compact:*:not-first:hidden">
        <bdi className="max-w-[60%] shrink-0 truncate text-base leading-[1.125rem] font-bold text-ink compact:max-w-full">
          {item.author.displayName}
        </bdi>
        {item.reasons ? (
          <ReportedLine item={item} reasons={item.reasons} />
        ) : (
          <>
            <bdi className="truncate">{spaceOf(item)?.displayName}</bdi>
            <time
              dateTime={item.writtenAt}
              title={t('writtenAt', { time: times.exact(item.writtenAt) })}
              className="tablet-low:hidden"
            >
              {t('wrote', { time: times.brief(item.writtenAt) })}
            </time>
          </>
        )}
      </span>
      <time
        dateTime={item.heldAt}
        title={item.reasons ? reported('at', { time: exact }) : t('heldAt', { time: exact })}
        className={`text-end text-small whitespace-nowrap compact:col-start-4 ${AGE_TEXT[level]}`}
      >
        <span className="sr-only">{item.reasons ? reported('time') : t('held')} </span>
        {span(heldForMs)}
        {heldForMs >= targetMs && (
          <span className="sr-only">
            {ui('comma')}
            {t('overdue')}
          </span>
        )}
      </time>
      <span
        dir="auto"
        className="line-clamp-2 max-h-[2.25rem] leading-[1.125rem] wrap-anywhere compact:col-start-2 compact:block compact:truncate"
      >
        <CoveredLine isFlagged={item.flagCount > 0}>
          <Highlight words={words}>{text}</Highlight>
        </CoveredLine>
      </span>
      <Signs item={item} />
    </>
  )
})

/** The item's type and space, and the reasons it was reported for. */
function ReportedLine({ item, reasons }: { item: QueueItem; reasons: string[] }) {
  const t = useTranslations('reported')
  const kind = t(`kinds.${item.subjectType}`)
  const space = spaceOf(item)?.displayName
  const [reason, ...more] = reasons
  return (
    <>
      <bdi className="truncate">{space === undefined ? kind : t('kindIn', { kind, space })}</bdi>
      {reason && <span className="min-w-0 truncate">{t('reasons', { reason, more: more.length })}</span>}
    </>
  )
}

interface TickProps {
  isOn: boolean
  isShown: boolean
}

/**
 * In the gutter, beside the name, so that no text moves. A shortcut for the pointer; keys select the row itself. The row handles the
 * press, so that this never re-renders for a new handler.
 */
const Tick = memo(function Tick({ isOn, isShown }: TickProps) {
  return (
    <span
      aria-hidden
      data-tick
      className={`absolute inset-y-0 start-0 z-2 row-auto! flex w-7 items-start ps-[10px] pt-[9px] compact:items-center compact:pt-0 coarse:w-11 ${isShown ? '' : 'opacity-0 group-hover/row:opacity-100 coarse:hidden'}`}
    >
      <span
        className={`grid size-3.5 place-items-center rounded-1 border forced-color-adjust-none ${isOn ? 'border-accent bg-accent text-on-accent' : 'border-line-control bg-raised text-transparent'}`}
      >
        <Check className="size-3" />
      </span>
    </span>
  )
})

const isOnTick = (target: EventTarget) => target instanceof Element && target.closest('[data-tick]') !== null

/** Signs for what the text doesn't show: how many have the same, its score, who claimed it, images, videos, flags, and who is viewing the item. */
function Signs({ item }: { item: QueueItem }) {
  const t = useTranslations('queue')
  const alike = useTranslations('alike')
  const escalated = useTranslations('escalation')
  const reported = useTranslations('reported')
  const format = useFormatter()
  const { dataTypes, flagCount } = item
  return (
    <span className="flex items-start justify-end gap-[5px] pt-px text-small text-ink-3 compact:col-start-3 compact:h-[1.125rem] compact:items-center compact:p-0 [&_.lucide]:mt-0.5 [&_.lucide]:size-3.5 compact:[&_.lucide]:mt-0">
      {item.alike && (
        <span
          title={alike('badgeLabel', item.alike)}
          className="rounded-full border border-line-strong bg-sunken px-1.5 leading-4 whitespace-nowrap text-ink-2"
        >
          {alike('badge', item.alike)}
        </span>
      )}
      {item.score !== undefined && (
        <span className="tabular-nums">
          <span className="sr-only">{t('score')} </span>
          {format.number(item.score, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
        </span>
      )}
      {item.claim && <ClaimSign claim={item.claim} />}
      {item.isWithdrawn && <span>{reported('evidence.sign')}</span>}
      {item.reasons && item.escalation && <ArrowUpFromDot role="img" aria-label={escalated('tag')} />}
      {dataTypes.includes('image') && <Image role="img" aria-label={t('hasImage')} />}
      {dataTypes.includes('video') && <Video role="img" aria-label={t('hasVideo')} />}
      {flagCount > 0 && (
        <span className="flex gap-1">
          <Flag aria-hidden />
          <span className="sr-only">{t('flags', { count: flagCount })}</span>
          <span aria-hidden>{flagCount}</span>
        </span>
      )}
      <LeaseAvatar subject={item} />
    </span>
  )
}
