'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'

const ZonePicker = lazyPart(
  () => import('#components/kit/zones/zone-picker.tsx').then(({ ZonePicker }) => ZonePicker),
  {
    loading: <div aria-busy className="h-96" />,
  },
)

export function TimeSection() {
  const t = useTranslations('settings')
  const { preferences, change } = usePreferences()
  const { zone = 'UTC', isZoneChosen } = preferences
  const [isChoosing, setChoosing] = useState(false)

  function choose(zone: string | null): void {
    change({ zone })
    setChoosing(false)
  }

  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-38 font-firm text-ink">{t('zone')}</span>
        <span className="me-2">{t(isZoneChosen ? 'zoneChosen' : 'zoneOwn', { zone })}</span>
        <Button aria-expanded={isChoosing} onPress={() => setChoosing(!isChoosing)}>
          {t('changeZone')}
        </Button>
        {isZoneChosen && (
          <Button look="bare" onPress={() => choose(null)}>
            {t('ownZone')}
          </Button>
        )}
      </div>
      {isChoosing && (
        <div className="mt-2 max-w-100 overflow-hidden rounded-2 border border-line-strong">
          <ZonePicker chosen={zone} onChoose={choose} />
        </div>
      )}
    </div>
  )
}
