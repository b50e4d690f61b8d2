'use client'
import { useTranslations } from 'use-intl'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { ItemLine } from '../../../kit/review/item-line.tsx'
import { useDeskActs } from '../desk-acts.ts'

interface EarlierLineProps {
  item: QueueItem
  count: number
  /** The reviewer who changed it last; else its author did. */
  by: string | undefined
}

/** Above an item whose text was changed: what it said before is one key away. */
export function EarlierLine({ item, count, by }: EarlierLineProps) {
  const t = useTranslations('queue.earlier')
  const { open } = useDeskActs()
  return (
    <ItemLine act="earlier" label={t('show')} onOpen={() => open('earlier', item)}>
      {by === undefined ? t('line', { count }) : t('lineBy', { count, by })}
    </ItemLine>
  )
}
