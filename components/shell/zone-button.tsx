'use client'
import { Globe } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { ZONE_SEARCH } from '#components/kit/zones/parse-as-zone.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { ZoneMenu } from '#components/kit/zones/zone-menu.tsx'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'

/** The zone in force and its current time; selecting another saves it for the person. */
export function ZoneButton() {
  const t = useTranslations('shell')
  const format = useFormatter()
  const now = useNow()
  const { zone } = useZone()
  const { change } = usePreferences()
  const [, setLinked] = useQueryStates(ZONE_SEARCH)

  function choose(chosen: string): void {
    change({ zone: chosen })
    setLinked(null)
  }

  return (
    <ZoneMenu chosen={zone} onChoose={choose}>
      {/* On a phone, a lost connection takes its place. */}
      <Button look="bare" className="phone:group-has-data-troubled/acts:hidden">
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
