'use client'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import type { HeldOutcome, QueueItem } from '#server/modules/review/queue/schema.ts'
import { DoableList, ExceptionList } from '../bulk/bulk-lists.tsx'
import { DecideButton } from '../bulk/decide-button.tsx'
import { usePreview } from '../bulk/use-preview.ts'

interface AlikeDialogProps {
  item: QueueItem
  onDecide: (outcome: HeldOutcome) => void
  /** Lists the items of the group one by one. */
  onSeparate: () => void
  onClose: () => void
}

/** Everything that is held with one text: first what is decided by itself, and why, then what is decided together. */
export function AlikeDialog({ item, onDecide, onSeparate, onClose }: AlikeDialogProps) {
  const t = useTranslations('alike')
  const many = useTranslations('many')
  const errorMessageOf = useErrorMessage()
  const { read: preview, doable, exceptions, cut } = usePreview({ alike: item })
  const count = doable.length
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  const keys = { [useCombo('approve') ?? '']: 'approved', [useCombo('reject') ?? '']: 'rejected' } as const

  function onKey(key: string): void {
    const outcome = keys[key]
    if (outcome && count > 0) onDecide(outcome)
  }

  return (
    <ActForm
      title={t('title', { count: preview.isSuccess ? count + exceptions.length : (item.alike?.count ?? 0) })}
      submit={preview.isError ? many('tryAgain') : t('separate')}
      isPending={preview.isFetching}
      failure={errorMessageOf(preview.error)}
      onKey={onKey}
      onSubmit={() => (preview.isError ? void preview.refetch() : onSeparate())}
      onClose={onClose}
      acts={
        count > 0 && (
          <span className="ms-auto flex gap-1.5">
            <DecideButton outcome="approved" act="approve" count={count} onDecide={onDecide} />
            <DecideButton outcome="rejected" act="reject" count={count} onDecide={onDecide} />
          </span>
        )
      }
    >
      <div className="grid gap-1">
        <p ref={sentence} tabIndex={-1} role="status" className="text-ink outline-none">
          {preview.isSuccess ? t('left', { count: exceptions.length }) : t('looking')}
        </p>
        {cut > 0 && <p className="text-small">{t('rest', { count: cut })}</p>}
      </div>
      {exceptions.length > 0 && <ExceptionList label={t('apart')} items={exceptions} />}
      {count > 0 && <DoableList label={t('together', { count })} items={doable} />}
    </ActForm>
  )
}
