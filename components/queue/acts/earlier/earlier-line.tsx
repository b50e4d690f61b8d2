'use client'
import { useTranslations } from 'use-intl'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { ItemLine } from '../../../kit/review/item-line.tsx'
import { useDeskActs } from '../desk-acts.ts'

/** Above an item whose author changed it: what it said before is one key away. */
export function EarlierLine({ item, count }: { item: QueueItem; count: number }) {
  const t = useTranslations('queue.earlier')
  const { open } = useDeskActs()
  return (
    <ItemLine act="earlier" label={t('show')} onOpen={() => open('earlier', item)}>
      {t('line', { count })}
    </ItemLine>
  )
}
