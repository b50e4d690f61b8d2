'use client'
import { useTranslations } from 'use-intl'
import { AgeLine } from '#components/kit/review/age-line.tsx'

export const TARGET_HEIGHT_PX = 23
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The line where the list crosses the service target. */
export function TargetRule({ top, past, targetMs }: { top: number; past: number; targetMs: number }) {
  const t = useTranslations('queue')
  return (
    <div
      role="presentation"
      style={{ top, height: TARGET_HEIGHT_PX }}
      className="absolute inset-x-0 flex items-center gap-2 border-b border-line bg-sunken ps-7 pe-3 text-micro text-ink-3"
    >
      <AgeLine level={2} />
      <span>
        {targetMs % HOUR_MS === 0
          ? t('serviceTarget', { hours: targetMs / HOUR_MS })
          : t('serviceTargetMinutes', { minutes: targetMs / MINUTE_MS })}
      </span>
      <span className="flex-1 border-t border-dashed border-line-control" />
      <span className="font-bold text-age-text-3">{t('pastTarget', { count: past })}</span>
    </div>
  )
}
