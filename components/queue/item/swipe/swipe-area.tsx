'use client'
import { Check, X } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import { type Swipe, swipeOf, type Touch } from './swipe.ts'

const LOOK = {
  yes: { icon: Check, colour: 'bg-approve-tint text-approve', side: 'left-0 pl-4' },
  no: { icon: X, colour: 'bg-reject-tint text-reject', side: 'right-0 pr-4' },
} as const

interface SwipeAreaProps {
  /** What the two directions decide; undefined for what the person can't decide. */
  outcomes: { yes: Outcome | undefined; no: Outcome | undefined }
  onDecide: (outcome: Outcome) => void
  children: ReactNode
}

/** On touch screens: a swipe to the right approves the item, one to the left rejects it. The buttons do the same. */
export function SwipeArea({ outcomes, onDecide, children }: SwipeAreaProps) {
  const t = useTranslations('queue')
  const touch = useRef<Touch>(undefined)
  const [swipe, setSwipe] = useState<Swipe>({ kind: 'none' })
  const outcome = swipe.kind === 'sideways' ? outcomes[swipe.outcome] : undefined

  function begin({ pointerType, isPrimary, clientX, clientY }: PointerEvent): void {
    if (pointerType !== 'touch' || !isPrimary) return
    touch.current = { startX: clientX, startY: clientY, x: clientX, y: clientY }
  }
  function move({ clientX, clientY, currentTarget }: PointerEvent): void {
    if (!touch.current) return
    touch.current = { ...touch.current, x: clientX, y: clientY }
    const now = swipeOf(touch.current, currentTarget.clientWidth)
    if (now.kind === 'scroll' && swipe.kind === 'none') end()
    else if (now.kind !== 'scroll') setSwipe(now)
  }
  function end(): void {
    touch.current = undefined
    setSwipe({ kind: 'none' })
  }
  function release(): void {
    const isDecided = swipe.kind === 'sideways' && swipe.isFarEnough && outcome !== undefined
    end()
    if (isDecided) onDecide(outcome)
  }

  const look = swipe.kind === 'sideways' ? LOOK[swipe.outcome] : undefined
  return (
    <div
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={end}
      className="relative touch-pan-y overflow-x-clip"
    >
      {look && outcome && swipe.kind === 'sideways' && (
        <div
          aria-hidden
          data-far={swipe.isFarEnough || undefined}
          style={{ width: Math.abs(swipe.by) }}
          className={`absolute inset-y-0 flex items-start overflow-hidden pt-6 whitespace-nowrap data-far:font-bold data-far:shadow-[inset_0_0_0_2px_currentcolor] ${look.side} ${look.colour} ${swipe.outcome === 'no' ? 'justify-end' : ''}`}
        >
          <span className="sticky top-16 flex items-center gap-1.5">
            <look.icon />
            {t(`decideAs.${outcome}`)}
          </span>
        </div>
      )}
      <div style={swipe.kind === 'sideways' && outcome ? { translate: `${swipe.by}px` } : undefined}>{children}</div>
    </div>
  )
}
