'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { DoableList, ExceptionList } from '#components/kit/bulks/item-lists.tsx'
import { nameOf } from '#components/kit/people/name-of.ts'
import { useReasonFields } from '#components/kit/reasons/use-reason-fields.tsx'
import type { BulkProgress, PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { PersonDialogProps } from '../person-dialog-props.ts'
import { type AskedDecision, useDecision } from './use-decision.ts'
import { removalOf, useRemoveWords } from './use-remove-words.ts'

const LOOK = { approved: 'approve', rejected: 'reject' } as const

/** Lists exactly what will be decided, where, and what can't be and why; then decides on it as one bulk action, with one undo. */
export function DecideDialog({ person, asked, typed, onClose, onDone }: PersonDialogProps & { asked: AskedDecision }) {
  const t = useTranslations('users.decide')
  const many = useTranslations('many')
  const removeWords = useRemoveWords()
  const errorMessageOf = useErrorMessage()
  const [progress, setProgress] = useState<BulkProgress>()
  const { outcome } = asked
  const { userId } = person.user
  const author = nameOf(person.user)
  const { why, forget, chooseByKey, fields } = useReasonFields(`decide ${userId}`, { typed }, { isAside: true })
  const { preview, held, published, exceptions, isCut, run } = useDecision({ userId, asked })
  const undoWords = useUndoWords()
  const doneWords = useDoneWords({ author, published: published.length })
  const isNothing = preview.isSuccess && held.length + published.length === 0
  const counts = { held: held.length, published: published.length }

  const deciding = useMutation({
    mutationFn: async () => {
      const done = await run(
        outcome === 'rejected' && why ? { reasonId: why.reasonId, reason: why.reason } : {},
        setProgress,
      )
      forget()
      asked.onDecided?.()
      onClose()
      onDone({ words: doneWords(done.progress), undo: () => done.undo().then(undoWords) })
    },
  })

  function submit(): void {
    if (isNothing) onClose()
    else if (preview.isError) void preview.refetch()
    else if (preview.isSuccess) deciding.mutate()
  }

  const doWords = outcome === 'approved' ? many('do.approved', { count: held.length }) : removeWords(counts)
  const submitWords = progress && !progress.isFinished ? t('working', { ...progress }) : doWords
  return (
    <ActForm
      title={t(`titles.${outcome === 'approved' ? outcome : removalOf(counts)}`, { author })}
      submit={isNothing ? many('close') : submitWords}
      look={isNothing ? 'primary' : LOOK[outcome]}
      isPending={preview.isFetching || deciding.isPending}
      failure={errorMessageOf(deciding.error ?? preview.error)}
      typed={typed}
      onKey={outcome === 'rejected' ? chooseByKey : () => {}}
      onSubmit={submit}
      onClose={onClose}
    >
      {preview.isSuccess ? (
        <Foreseen outcome={outcome} items={held} published={published} exceptions={exceptions} isCut={isCut} />
      ) : (
        <p role="status">{preview.isPending && many('looking')}</p>
      )}
      {outcome === 'rejected' && !isNothing && fields}
    </ActForm>
  )
}

interface ForeseenProps {
  outcome: HeldOutcome
  items: PreviewedItem[]
  published: PreviewedItem[]
  exceptions: PreviewedItem[]
  isCut: boolean
}

/** How many will be decided, and in which communities and channels: "12 held items will be rejected. In Harbour (8) and Old Town (4)." Then each. */
function Foreseen({ outcome, items, published, exceptions, isCut }: ForeseenProps) {
  const t = useTranslations('users.decide')
  const format = useFormatter()
  const all = [...items, ...published]
  const placeOf = ({ communityName }: PreviewedItem) => communityName || t('elsewhere')
  const places = Map.groupBy(all, placeOf)
  const where = format.list([...places].map(([name, { length: count }]) => t('place', { name, count })))
  const sentences = [
    (items.length > 0 || published.length === 0) && t(`will.${outcome}`, { count: items.length }),
    published.length > 0 && t('will.deleted', { count: published.length }),
    places.size > 0 && t('where', { where }),
    exceptions.length > 0 && t('refused', { count: exceptions.length }),
  ]
  return (
    <>
      <div className="grid gap-1">
        <p role="status" className="text-ink">
          {sentences.filter(Boolean).join(' ')}
        </p>
        {isCut && <p className="text-small">{t('isCut', { count: items.length + exceptions.length })}</p>}
      </div>
      {exceptions.length > 0 && <ExceptionList items={exceptions} />}
      {all.length > 0 && <DoableList label={t('list')} items={all} nameOf={placeOf} />}
    </>
  )
}

/** What a finished decision did. */
function useDoneWords({ author, published }: { author: string; published: number }) {
  const t = useTranslations('users.decide')
  return ({ outcome, done, total, waiting }: BulkProgress): string => {
    const refused = total - done - waiting
    const said = outcome === 'rejected' && published > 0 ? 'removed' : outcome
    return [t(`done.${said}`, { count: done, author }), refused > 0 && t('left', { count: refused })]
      .filter(Boolean)
      .join(' ')
  }
}

/** What to say about an undo that didn't undo everything; undefined if it did. */
function useUndoWords() {
  const t = useTranslations('users.decide')
  return (undone: BulkProgress | undefined): string | undefined => {
    if (undone === undefined) return t('tooLate')
    return undone.done > 0 ? t('undone', { count: undone.undone, kept: undone.done }) : undefined
  }
}
