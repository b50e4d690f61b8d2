'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import type { Colleague } from '#server/modules/review/escalations/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'
import { Excerpt } from '../excerpt.tsx'
import { ColleaguePicker } from './colleague-picker.tsx'
import { pendingItem } from './pending-item.ts'

const NOTE_LENGTH = 1_000

/**
 * Escalates an item with a reason and optionally to a colleague. A held item leaves the list of pending items; a report stays in its list,
 * marked.
 */
export function EscalateDialog({ item, onClose, ...begun }: ActDialogProps) {
  const t = useTranslations('escalation')
  const trpc = useTRPC()
  const cache = useQueueCache()
  const errorMessageOf = useErrorMessage()
  const { done, leave, input } = useDeskActs()
  const isOfReport = item.kind === 'reported'
  const [note, write, forget] = useDraft(`escalate ${itemIdOf(item)}`, begun)
  const [colleague, setColleague] = useState<Colleague>()
  const escalating = useMutation(trpc.escalations.escalate.mutationOptions())
  const puttingBack = useMutation(trpc.escalations.deescalate.mutationOptions())
  const { error } = escalating
  // Trying again can't succeed: somebody decided on it or escalated it first.
  const isTooLate = error !== null && toRequestError(error).code === 'CONFLICT'
  const escalated = pendingItem(item)

  function doneWords(): string {
    const author = item.author.displayName
    return colleague ? t('doneFor', { author, who: colleague.displayName }) : t('done', { author })
  }

  async function escalateReport(): Promise<void> {
    await escalating.mutateAsync({ ...escalated, note, ...(colleague && { handTo: colleague.userId }) })
    forget()
    onClose()
    await cache.readItemAgain(input, item)
    cache.recount()
    done({
      words: doneWords(),
      undo: async () => {
        await puttingBack.mutateAsync(escalated)
        await cache.readItemAgain(input, item)
        cache.recount()
      },
    })
  }

  async function escalate(): Promise<void> {
    await escalating.mutateAsync({ ...escalated, note, ...(colleague && { handTo: colleague.userId }) })
    forget()
    onClose()
    leave([item])
    cache.take(input, [item])
    done({
      words: doneWords(),
      undo: async () => {
        await puttingBack.mutateAsync(escalated)
        cache.putBack(input, item)
        cache.expire(item)
        cache.recount()
      },
    })
  }

  return (
    <ActForm
      title={t('title', { author: item.author.displayName })}
      submit={t('submit')}
      isWritten
      typed={begun.typed}
      isPending={escalating.isPending}
      failure={isTooLate ? t('tooLate') : errorMessageOf(error)}
      onSubmit={() => void (isOfReport ? escalateReport() : escalate()).catch(() => undefined)}
      onClose={onClose}
    >
      <Excerpt item={item} />
      <TextBox
        label={t('note')}
        hint={t(isOfReport ? 'noteHintReport' : 'noteHint')}
        value={note}
        onChange={write}
        maxLength={NOTE_LENGTH}
        autoFocus
        isRequired
      />
      <ColleaguePicker item={item} onChoose={setColleague} />
    </ActForm>
  )
}
