'use client'
import { Ban } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Badge } from '#components/ui/badge.tsx'

/** Badges for unusual states; most people have none. */
export function PersonStates({ person }: { person: { isGlobalBan: boolean; isDeleted: boolean } }) {
  const t = useTranslations('users')
  return (
    <span className="flex flex-wrap gap-1">
      {person.isGlobalBan && (
        <Badge look="reject">
          <Ban />
          {t('bannedEverywhere')}
        </Badge>
      )}
      {person.isDeleted && <Badge>{t('deleted')}</Badge>}
    </span>
  )
}
