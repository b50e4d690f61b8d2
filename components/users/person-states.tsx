'use client'
import { Ban } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { State } from '#components/ui/state.tsx'

/** What is unusual about somebody; nothing of most. */
export function PersonStates({ person }: { person: { isGlobalBan: boolean; isDeleted: boolean } }) {
  const t = useTranslations('users')
  return (
    <span className="flex flex-wrap gap-1">
      {person.isGlobalBan && (
        <State look="reject">
          <Ban />
          {t('bannedEverywhere')}
        </State>
      )}
      {person.isDeleted && <State>{t('deleted')}</State>}
    </span>
  )
}
