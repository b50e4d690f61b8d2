'use client'
import { useTranslations } from 'use-intl'
import { DoableList } from '#components/kit/bulks/item-lists.tsx'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { GroupForm } from '../bulk/group-form.tsx'
import { usePreview } from '../bulk/use-preview.ts'

interface AlikeDialogProps {
  item: QueueItem
  onDecide: (outcome: HeldOutcome) => void
  /** Lists the items of the group one by one. */
  onSeparate: () => void
  onClose: () => void
}

/** Everything that is held with one text. */
export function AlikeDialog({ item, onDecide, onSeparate, onClose }: AlikeDialogProps) {
  const t = useTranslations('alike')
  const preview = usePreview({ alike: item })
  const { read, doable, exceptions, cut } = preview
  const count = doable.length
  return (
    <GroupForm
      preview={preview}
      title={t('title', { count: read.isSuccess ? count + exceptions.length : (item.alike?.count ?? 0) })}
      summary={t('left', { count: exceptions.length })}
      cutSummary={t('rest', { count: cut })}
      count={count}
      onDecide={onDecide}
      other={t('separate')}
      onOther={onSeparate}
      onClose={onClose}
    >
      {count > 0 && <DoableList label={t('together', { count })} items={doable} />}
    </GroupForm>
  )
}
