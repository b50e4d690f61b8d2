'use client'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { offsetOf, zoneNames } from '#components/i18n/zones.ts'
import { SearchList } from '#components/ui/search-list.tsx'

/** Every zone this browser knows, found by any part of its name. */
export function ZonePicker({ chosen, onChoose }: { chosen: string; onChoose: (zone: string) => void }) {
  const t = useTranslations('shell')
  const now = useNow()
  const zones = useMemo(
    () => zoneNames().map((id) => ({ id, label: id.replaceAll('_', ' '), hint: offsetOf(id, now) })),
    [now],
  )
  return (
    <SearchList
      label={t('chooseZone')}
      find={t('findZone')}
      empty={t('noSuchZone')}
      choices={zones}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
