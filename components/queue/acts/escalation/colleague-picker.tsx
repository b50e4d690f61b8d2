'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Colleague } from '#server/modules/review/escalations/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { pendingItem } from './pending-item.ts'

interface ColleaguePickerProps {
  item: QueueItem
  onChoose: (colleague: Colleague | undefined) => void
  autoFocus?: boolean
}

/** Finds a colleague who can decide on the item by name. Empty means nobody in particular. */
export function ColleaguePicker({ item, onChoose, autoFocus = false }: ColleaguePickerProps) {
  const t = useTranslations('escalation')
  const [name, setName] = useState('')
  const { data: colleagues = [], isPending } = useQuery(
    useTRPC().escalations.colleagues.queryOptions(
      { ...pendingItem(item), name },
      { placeholderData: keepPreviousData },
    ),
  )

  return (
    <ComboBox
      items={colleagues}
      inputValue={name}
      onInputChange={setName}
      onSelectionChange={(userId) => onChoose(colleagues.find((colleague) => colleague.userId === userId))}
      allowsEmptyCollection
      autoFocus={autoFocus}
      className="grid gap-1.5"
    >
      <Label className="font-firm text-ink">{t('handTo')}</Label>
      <Input
        placeholder={t('anyone')}
        className="h-control w-full rounded-2 border border-line-control bg-raised px-2 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0"
      />
      <Popover className="w-(--trigger-width) overflow-auto rounded-3 bg-raised shadow-pop forced-colors:border">
        <ListBox<Colleague>
          className="max-h-60 p-1.5 outline-none"
          renderEmptyState={() => (
            <p className="px-2 py-1 text-ink-3">{t(isPending ? 'findingColleague' : 'noColleague')}</p>
          )}
        >
          {({ userId, displayName }) => (
            <ListBoxItem
              id={userId}
              textValue={displayName}
              className="flex min-h-8 cursor-default items-center rounded-2 px-2 text-ink outline-none coarse:min-h-10 hover:bg-hover focus:bg-selected selected:font-firm"
            >
              <bdi>{displayName}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
