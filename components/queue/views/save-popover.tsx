'use client'
import { useTranslations } from 'use-intl'
import { Floating } from '#components/ui/floating.tsx'
import type { Hanging } from '#components/ui/on-demand.tsx'
import { useQueueFilter } from '../use-queue-filter.ts'
import { toViewFilters } from './saved-search.ts'
import { useViewActs } from './use-view-acts.ts'
import { ViewForm } from './view-form.tsx'

export function SavePopover({ hanging }: { hanging: Hanging }) {
  const t = useTranslations('views')
  const { search, zone } = useQueueFilter()
  const { save } = useViewActs(hanging.onClose)
  return (
    <Floating hanging={hanging} label={t('save')} className="w-72">
      <ViewForm
        act={t('keep')}
        mayShare
        saving={save}
        onSubmit={(named) => save.mutate({ ...named, filters: toViewFilters(search, zone) })}
      />
    </Floating>
  )
}
