'use client'
import { useTranslations } from 'use-intl'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { SearchList } from '#components/ui/search-list.tsx'

interface EventPopoverProps {
  trigger: PopoverTrigger
  names: readonly string[]
  chosen: string | null
  onChoose: (event: string | null) => void
}

const ANY = 'any'

/** Selects one event, or all of them. */
export function EventPopover({ trigger, names, chosen, onChoose }: EventPopoverProps) {
  const t = useTranslations('webhooks')
  return (
    <Popover trigger={trigger} label={t('event')} className="w-80">
      <SearchList
        label={t('event')}
        find={t('findEvent')}
        empty={t('noSuchEvent')}
        choices={[{ id: ANY, label: t('anyEvent') }, ...names.map((name) => ({ id: name, label: name }))]}
        chosen={chosen ?? ANY}
        onChoose={(id) => {
          trigger.onClose()
          onChoose(id === ANY ? null : id)
        }}
      />
    </Popover>
  )
}
