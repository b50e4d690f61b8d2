'use client'
import { useTranslations } from 'use-intl'
import type { BanForecast } from '#server/modules/review/bulk/schema.ts'

/** How many accounts aren't banned, or stay banned, and why. */
export function RefusedAccounts({ label, refused }: { label: string; refused: BanForecast['refused'] }) {
  const t = useTranslations('many.bans')
  return (
    <div className="text-small">
      <p>{label}</p>
      <ul aria-label={label} className="mt-0.5 list-disc ps-4">
        {refused.map(({ why, count }) => (
          <li key={why}>{t(`why.${why}`, { count })}</li>
        ))}
      </ul>
    </div>
  )
}
