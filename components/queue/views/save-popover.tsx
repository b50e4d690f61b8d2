'use client'
import { useTranslations } from 'use-intl'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { toViewFilters } from './saved-search.ts'
import { useViewActs } from './use-view-acts.ts'
import { ViewForm } from './view-form.tsx'

export function SavePopover({ trigger }: { trigger: PopoverTrigger }) {
  const t = useTranslations('views')
  const { search, zone } = useQueueFilter()
  const { save } = useViewActs(trigger.onClose)
  return (
    <Popover trigger={trigger} label={t('save')} className="w-72">
      <ViewForm
        act={t('keep')}
        mayShare
        saving={save}
        onSubmit={(named) => save.mutate({ ...named, filters: toViewFilters(search, zone) })}
      />
    </Popover>
  )
}
