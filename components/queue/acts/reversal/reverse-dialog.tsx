'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useReasonFields } from '#components/kit/reasons/use-reason-fields.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { itemOptions } from '../../state/queue-queries.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'
import { Excerpt } from '../excerpt.tsx'

/** Turns an approval into a rejection: states that this is a new and final decision. */
export function ReverseDialog({ item, typed, words, onClose }: ActDialogProps) {
  const t = useTranslations('reversal')
  const times = useTimes()
  const { decisions, input } = useDeskActs()
  const { why, forget, chooseByKey, fields } = useReasonFields(`reverse ${itemIdOf(item)}`, { words, typed })
  const decided = useQuery(itemOptions(useTRPC(), item, undefined)).data?.decided

  function reverse(): void {
    onClose()
    if (decisions.decide(item, 'rejected', input, { why, isReversal: true })) forget()
  }

  return (
    <ActForm
      title={t('title', { author: item.author.displayName })}
      submit={t('submit')}
      look="reject"
      isWritten
      typed={typed}
      onKey={chooseByKey}
      onSubmit={reverse}
      onClose={onClose}
    >
      <Excerpt item={item} />
      <p>
        {decided && `${t('was', { who: decided.decidedByName, time: times.exact(decided.decidedAt) })} `}
        {t('means')}
      </p>
      {fields}
    </ActForm>
  )
}
