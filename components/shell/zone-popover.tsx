'use client'
import { useTranslations } from 'use-intl'
import { Floating } from '#components/ui/floating.tsx'
import type { Hanging } from '#components/ui/on-demand.tsx'
import { ZonePicker } from './zone-picker.tsx'

interface ZonePopoverProps {
  hanging: Hanging
  chosen: string
  onChoose: (zone: string) => void
}

export function ZonePopover({ hanging, chosen, onChoose }: ZonePopoverProps) {
  const t = useTranslations('shell')
  return (
    <Floating hanging={hanging} label={t('chooseZone')} className="w-80">
      <ZonePicker
        chosen={chosen}
        onChoose={(zone) => {
          hanging.onClose()
          onChoose(zone)
        }}
      />
    </Floating>
  )
}
