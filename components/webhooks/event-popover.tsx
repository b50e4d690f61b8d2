'use client'
import { useTranslations } from 'use-intl'
import { Floating } from '#components/ui/floating.tsx'
import type { Hanging } from '#components/ui/on-demand.tsx'
import { SearchList } from '#components/ui/search-list.tsx'

interface EventPopoverProps {
  hanging: Hanging
  names: readonly string[]
  chosen: string | null
  onChoose: (event: string | null) => void
}

const ANY = 'any'

/** One of the events there are, or all of them. */
export function EventPopover({ hanging, names, chosen, onChoose }: EventPopoverProps) {
  const t = useTranslations('webhooks')
  return (
    <Floating hanging={hanging} label={t('event')} className="w-80">
      <SearchList
        label={t('event')}
        find={t('findEvent')}
        empty={t('noSuchEvent')}
        choices={[{ id: ANY, label: t('anyEvent') }, ...names.map((name) => ({ id: name, label: name }))]}
        chosen={chosen ?? ANY}
        onChoose={(id) => {
          hanging.onClose()
          onChoose(id === ANY ? null : id)
        }}
      />
    </Floating>
  )
}
