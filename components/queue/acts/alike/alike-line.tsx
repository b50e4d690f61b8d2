'use client'
import { useTranslations } from 'use-intl'
import { IN_BOLD } from '#components/ui/in-bold.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { ItemLine } from '../../../kit/review/item-line.tsx'

/** Above an item that stands for a group: a decision applies to all of them. */
export function AlikeLine({ item, onOpen }: { item: QueueItem | undefined; onOpen: () => void }) {
  const t = useTranslations('alike')
  if (!item?.alike) return null
  return (
    <ItemLine act="group" label={t('open')} onOpen={onOpen}>
      {t.rich('line', {
        ...IN_BOLD,
        count: item.alike.count,
      })}
    </ItemLine>
  )
}
