'use client'
import { useTranslations } from 'use-intl'
import type { SanctionForecast } from '#server/modules/review/bulk/schema.ts'
import type { SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'

interface RefusedAccountsProps {
  label: string
  sanction: SanctionKind
  refused: SanctionForecast['refused']
}

/** How many accounts aren't banned or muted, or still are, and why. */
export function RefusedAccounts({ label, sanction, refused }: RefusedAccountsProps) {
  const t = useTranslations('many.sanctions')
  return (
    <div className="text-small">
      <p>{label}</p>
      <ul aria-label={label} className="mt-0.5 list-disc ps-4">
        {refused.map(({ why, count }) => (
          <li key={why}>
            {why === 'FORBIDDEN' || why === 'CHANGED' ? t(`${sanction}.${why}`, { count }) : t(`why.${why}`, { count })}
          </li>
        ))}
      </ul>
    </div>
  )
}
