'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { AgeLine } from '#components/kit/review/age-line.tsx'

export const TARGET_HEIGHT_PX = 23
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface TargetProps {
  /** How many are overdue; undefined if that isn't known. */
  past: number | undefined
  targetMs: number
}

/** The line where the list crosses the service target. A list of options has no other text, so its description says it too. */
export function TargetRule({ top, past, targetMs }: TargetProps & { top: number }) {
  const t = useTranslations('queue')
  const target = useTarget(targetMs)
  return (
    <div
      aria-hidden
      style={{ top, height: TARGET_HEIGHT_PX }}
      className="absolute inset-x-0 flex items-center gap-2 border-b border-line bg-sunken ps-7 pe-3 text-micro text-ink-3"
    >
      <AgeLine level={2} />
      <span>{target}</span>
      <span className="flex-1 border-t border-dashed border-line-control" />
      {past !== undefined && <span className="font-bold text-age-text-3">{t('pastTarget', { count: past })}</span>}
    </div>
  )
}

/** The service target, and how many items are past it, as a description of the list for screen readers. */
export function TargetDescription({ id, past, targetMs }: TargetProps & { id: string }) {
  const t = useTranslations('queue')
  const format = useFormatter()
  const target = useTarget(targetMs)
  return (
    <p id={id} className="sr-only">
      {past === undefined ? target : format.list([target, t('pastTarget', { count: past })], { type: 'unit' })}
    </p>
  )
}

function useTarget(targetMs: number): string {
  const t = useTranslations('queue')
  return targetMs % HOUR_MS === 0
    ? t('serviceTarget', { hours: targetMs / HOUR_MS })
    : t('serviceTargetMinutes', { minutes: targetMs / MINUTE_MS })
}
