'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { ExceptionList } from '#components/kit/bulks/item-lists.tsx'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import { DecideButton } from './decide-button.tsx'
import type { usePreview } from './use-preview.ts'

interface GroupFormProps {
  preview: ReturnType<typeof usePreview>
  title: string
  /** What is in the group; screen readers start with it. */
  summary: string
  /** Where more are held than are shown. */
  cutSummary: string
  /** How many are decided together. */
  count: number
  onDecide: (outcome: HeldOutcome) => void
  /** What can be done instead of a decision. */
  other: string
  onOther: () => void
  onClose: () => void
  children: ReactNode
}

/** A group of held items: first what is decided by itself, and why, then `children`, what is decided together. */
export function GroupForm({
  preview,
  title,
  summary,
  cutSummary,
  count,
  onDecide,
  other,
  onOther,
  ...props
}: GroupFormProps) {
  const t = useTranslations('many')
  const alike = useTranslations('alike')
  const errorMessageOf = useErrorMessage()
  const { read, exceptions, cut } = preview
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  const keys = { [useCombo('approve') ?? '']: 'approved', [useCombo('reject') ?? '']: 'rejected' } as const

  function onKey(key: string): void {
    const outcome = keys[key]
    if (outcome && count > 0) onDecide(outcome)
  }

  return (
    <ActForm
      title={title}
      submit={read.isError ? t('tryAgain') : other}
      // The decisions are what the dialog is for.
      look={read.isError ? 'primary' : 'plain'}
      isPending={read.isFetching}
      failure={errorMessageOf(read.error)}
      onKey={onKey}
      onSubmit={() => (read.isError ? void read.refetch() : onOther())}
      onClose={props.onClose}
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
          {read.isSuccess ? summary : alike('looking')}
        </p>
        {cut > 0 && <p className="text-small">{cutSummary}</p>}
      </div>
      {exceptions.length > 0 && <ExceptionList label={alike('apart')} items={exceptions} />}
      {props.children}
    </ActForm>
  )
}
