'use client'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useReasonFields } from '#components/kit/reasons/use-reason-fields.tsx'
import { itemIdOf } from '../../state/item-id.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'
import { Excerpt } from '../excerpt.tsx'

/** Rejects with a free-text reason: nothing is decided before the form is sent, and the reason is sent with the decision. */
export function RejectDialog({ item, typed, words, onClose }: ActDialogProps) {
  const t = useTranslations('reasons')
  const { decisions, input, leave } = useDeskActs()
  const outcome = item.allowed.includes('deleted') ? 'deleted' : 'rejected'
  const { why, forget, chooseByKey, fields } = useReasonFields(`reject ${itemIdOf(item)}`, { words, typed })

  function reject(): void {
    onClose()
    if (!decisions.decide(item, outcome, input, { why })) return
    forget()
    leave([item])
  }

  return (
    <ActForm
      title={t(`titleOf.${outcome}`, { author: item.author.displayName })}
      submit={t(`submitOf.${outcome}`)}
      look="reject"
      isWritten
      typed={typed}
      onKey={chooseByKey}
      onSubmit={reject}
      onClose={onClose}
    >
      <Excerpt item={item} />
      {fields}
    </ActForm>
  )
}
