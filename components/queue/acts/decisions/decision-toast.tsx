'use client'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { UndoLabel, UndoLine } from '#components/kit/acts/undo-line.tsx'
import { UNDO_WINDOW_MS, UNDO_WINDOW_SECONDS } from '#components/kit/acts/undo-window.ts'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { useNowUntil } from '#components/kit/times/use-now-until.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { itemIdOf } from '../../state/item-id.ts'
import type { Decision } from '../../state/store/queue-state.ts'
import { useIsLow } from '../../state/window-size.ts'
import type { useAskedReason } from '../reasons/use-asked-reason.ts'
import type { Decisions } from './use-decisions.ts'

/** How long the toast stays after the undo time ends. */
const STANDS_FOR_MS = 3_000

const ReasonKeypad = lazyPart(() => import('../reasons/reason-keypad.tsx').then(({ ReasonKeypad }) => ReasonKeypad))

interface DecisionToastProps {
  /** Over the foot of the list; on a phone's item page, inline above the buttons. */
  place: 'list' | 'item'
  decisions: Decisions
  /** Whether the key for undo undoes the latest. */
  hasKey: boolean
  asked: ReturnType<typeof useAskedReason>
  onInWords: () => void
  onTakenBack: (itemId: string) => void
}

/** The latest decision, over the foot of the list. Its top edge shows the ten seconds in which nothing is published. */
export function DecisionToast({ decisions, ...rest }: DecisionToastProps) {
  const recent = decisions.decisions
    .filter(({ step }) => step === 'sending' || step === 'held' || step === 'final')
    .reverse()
  const [latest, ...earlier] = recent
  if (!latest) return null
  return <LatestDecisionToast latest={latest} earlier={earlier} decisions={decisions} {...rest} />
}

/** One toast for consecutive decisions: mounting it again for each would flicker. */
function LatestDecisionToast({
  place,
  latest,
  earlier,
  decisions,
  hasKey,
  asked,
  onInWords,
  onTakenBack,
}: DecisionToastProps & { latest: Decision; earlier: Decision[] }) {
  const t = useTranslations('queue.toast')
  const isLow = useIsLow()
  const [allShownFor, setAllShownFor] = useState<string>()
  const [reasonWantedFor, setReasonWantedFor] = useState<string>()
  // Until the first tick, the clock still shows the time of the previous decision.
  const now = Math.max(latest.decidedAt, useNowUntil(latest.decidedAt + UNDO_WINDOW_MS + STANDS_FOR_MS))
  const leftOf = ({ decidedAt, step }: Decision) => (step === 'final' ? 0 : decidedAt + UNDO_WINDOW_MS - now)
  const left = leftOf(latest)
  if (left <= -STANDS_FOR_MS) return null

  const open = earlier.filter((decision) => leftOf(decision) > 0)
  const areAllShown = allShownFor === latest.key
  const isReasonWanted = (place === 'list' && !isLow) || reasonWantedFor === latest.key
  const isAsking = left > 0 && asked.asked?.key === latest.key && !latest.why
  const undo = (decision: Decision) => {
    void decisions.undo(decision)
    onTakenBack(itemIdOf(decision.item))
  }

  return (
    <section
      aria-label={t('label')}
      className="relative animate-appear overflow-hidden rounded-3 bg-raised ps-3 pe-2.5 pt-[11px] pb-[9px] phone-tiny:py-1 shadow-pop forced-colors:border"
    >
      {left > 0 && <UndoLine left={left} />}
      {isAsking && isReasonWanted && <ReasonKeypad onGive={asked.give} onInWords={onInWords} />}
      {areAllShown &&
        open.map((decision) => (
          <ToastLine key={decision.key} decision={decision} left={leftOf(decision)} onUndo={() => undo(decision)} />
        ))}
      <ToastLine decision={latest} left={left} onUndo={() => undo(latest)} isLatest hasKey={hasKey}>
        {isAsking && !isReasonWanted && <Button onPress={() => setReasonWantedFor(latest.key)}>{t('reason')}</Button>}
      </ToastLine>
      {!areAllShown && open.length > 0 && (
        <Button look="bare" size="small" className="-ms-2.5 text-small" onPress={() => setAllShownFor(latest.key)}>
          {t('more', { count: open.length })}
        </Button>
      )}
    </section>
  )
}

interface ToastLineProps {
  decision: Decision
  left: number
  onUndo: () => void
  isLatest?: boolean
  hasKey?: boolean
  children?: ReactNode
}

function ToastLine({
  decision: { outcome, item, why },
  left,
  onUndo,
  isLatest = false,
  hasKey = false,
  children,
}: ToastLineProps) {
  const t = useTranslations('queue.toast')
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-32 flex-1">
        <p className="flex gap-1.5">
          <OutcomeWord outcome={outcome} />
          <bdi className="truncate font-firm text-ink">{item.author.displayName}</bdi>
        </p>
        {why && <p className="truncate text-small text-ink-2">{why.label}</p>}
        {left <= 0 && <p className="truncate text-small text-ink-3">{t('stands')}</p>}
        {isLatest && why?.textToAuthor && (
          <p className="line-clamp-2 text-small text-ink-3">{t('toAuthor', { text: why.textToAuthor })}</p>
        )}
      </div>
      {left > 0 && (
        // Together: where they don't fit beside the name, both stand below it.
        <span className="flex flex-wrap gap-2">
          {children}
          <Button onPress={onUndo}>
            <UndoLabel
              of={t('undoOf', { author: item.author.displayName })}
              undo={t('undo')}
              widest={t('undoWithin', { seconds: UNDO_WINDOW_SECONDS })}
            >
              {t('undoWithin', { seconds: Math.ceil(left / 1000) })}
            </UndoLabel>
            {hasKey && <ActKeycap act="takeBack" className="phone:hidden" />}
          </Button>
        </span>
      )}
    </div>
  )
}
