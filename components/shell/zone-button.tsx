'use client'
import { Globe } from 'lucide-react'
import { useQueryState } from 'nuqs'
import { useFormatter, useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { parseAsZone } from '#components/kit/zones/parse-as-zone.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { ZoneMenu } from '#components/kit/zones/zone-menu.tsx'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'

/** The zone in force and its current time; selecting another saves it for the person. */
export function ZoneButton() {
  const t = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const { zone } = useZone()
  const { change } = usePreferences()
  const [, setLinked] = useQueryState('timeZone', parseAsZone)

  async function choose(chosen: string): Promise<void> {
    change({ zone: chosen })
    await setLinked(null)
  }

  return (
    <ZoneMenu chosen={zone} onChoose={(chosen) => void choose(chosen)}>
      <Button look="bare">
        <Globe />
        <span className="sr-only">{t('zoneInForce')}</span>
        <span className="tablet:sr-only phone:sr-only">{zone}</span>
        <span className="font-normal text-ink-3 tabular-nums phone:sr-only">
          {format.dateTime(now, { timeStyle: 'short' })}
        </span>
      </Button>
    </ZoneMenu>
  )
}
