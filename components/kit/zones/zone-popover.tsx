'use client'
import { useTranslations } from 'use-intl'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { ZonePicker } from './zone-picker.tsx'

interface ZonePopoverProps {
  trigger: PopoverTrigger
  chosen: string
  onChoose: (zone: string) => void
}

export function ZonePopover({ trigger, chosen, onChoose }: ZonePopoverProps) {
  const t = useTranslations('shell')
  return (
    <Popover trigger={trigger} label={t('chooseZone')} className="w-80">
      <ZonePicker
        chosen={chosen}
        onChoose={(zone) => {
          trigger.onClose()
          onChoose(zone)
        }}
      />
    </Popover>
  )
}
