'use client'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { DoableList, ExceptionList, useOnlyReason } from '#components/kit/bulks/item-lists.tsx'
import { toSeen } from '#components/kit/bulks/to-seen.ts'
import { useReasonFields } from '#components/kit/reasons/use-reason-fields.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { BulkProgress, PreviewedItem, SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { Asked } from './bulk-desk-props.ts'
import { usePreview } from './use-preview.ts'
import { useSanctionAuthors } from './use-sanction-authors.tsx'

export interface BulkDialogProps extends Asked {
  /** `items` are those that will be decided. */
  onBegun: (progress: BulkProgress, items: SeenItem[], options: { isRestLeft: boolean }) => void
  onClose: () => void
}

const LOOK = { approved: 'approve', rejected: 'reject' } as const

/** Lists exactly what will be decided, and what can't be and why. Nothing is decided before the form is sent. */
export function BulkDialog({ outcome, chosen, alike, except, typed, onBegun, onClose }: BulkDialogProps) {
  const t = useTranslations('many')
  const errorMessageOf = useErrorMessage()
  const { why, forget, chooseByKey, fields } = useReasonFields('reject many', { typed }, { isAside: true })
  const { read: preview, bulkId, doable, exceptions, cut, sent } = usePreview({ chosen, alike })
  const spared = outcome === 'rejected' ? except : undefined
  const authors = useSanctionAuthors({ bulkId, items: doable, except: spared })
  const starting = useMutation(useTRPC().bulk.start.mutationOptions())

  const isNothing = preview.isSuccess && doable.length === 0
  const count = doable.length
  const title = useTitle(outcome, { count: alike ? count : chosen.items.size, exceptions, isNothing })

  function submit(): void {
    if (isNothing) onClose()
    else if (preview.isError) void preview.refetch()
    else begin()
  }

  function begin(): void {
    const sanctioned = authors.read()
    if (sanctioned === 'failed') return
    const given = outcome === 'rejected' ? { reasonId: why?.reasonId, reason: why?.reason, ...sanctioned } : {}
    starting.mutate(
      { bulkId, outcome, ...given, items: sent },
      {
        onSuccess: (progress) => {
          forget()
          authors.forget()
          onBegun(progress, doable.map(toSeen), { isRestLeft: alike !== undefined && cut + exceptions.length > 0 })
        },
      },
    )
  }

  const { chosen: sanction } = authors
  const doWords = sanction
    ? t(`sanctions.${sanction.sanction}.do`, { count, accounts: sanction.possible })
    : t(`do.${outcome}`, { count })
  const submitWords = isNothing ? t('close') : doWords

  function onKey(key: string): void {
    chooseByKey(key)
    authors.onKey(key)
  }

  return (
    <ActForm
      title={title}
      submit={preview.isError ? t('tryAgain') : submitWords}
      look={isNothing || preview.isError ? 'primary' : LOOK[outcome]}
      isPending={preview.isFetching || starting.isPending}
      failure={authors.failure ?? errorMessageOf(starting.error ?? preview.error)}
      onKey={outcome === 'rejected' ? onKey : () => {}}
      onSubmit={submit}
      onClose={onClose}
    >
      <Foreseen outcome={outcome} cut={cut} doable={doable} exceptions={exceptions} isKnown={preview.isSuccess} />
      {outcome === 'rejected' && !isNothing && fields}
      {!isNothing && authors.fields}
    </ActForm>
  )
}

interface Titled {
  count: number
  exceptions: PreviewedItem[]
  isNothing: boolean
}

/** What is done; or why nothing can be: "Can’t reject any of these 12 items: claimed by Mina Rao". */
function useTitle(outcome: HeldOutcome, { count, exceptions, isNothing }: Titled): string {
  const t = useTranslations('many')
  const reason = useOnlyReason(exceptions) ?? 'none'
  return isNothing ? t(`cannot.${outcome}`, { count: exceptions.length, reason }) : t(`title.${outcome}`, { count })
}

interface ForeseenProps {
  outcome: HeldOutcome
  /** How many are shown where more match; else 0. */
  cut: number
  doable: PreviewedItem[]
  exceptions: PreviewedItem[]
  isKnown: boolean
}

/** The preview: a summary sentence, which is also what screen readers start with, then the items. */
function Foreseen({ outcome, cut, doable, exceptions, isKnown }: ForeseenProps) {
  const t = useTranslations('many')
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  const count = doable.length
  return (
    <>
      <div className="grid gap-1">
        <p ref={sentence} tabIndex={-1} role="status" className="text-ink outline-none">
          {isKnown ? t(`will.${outcome}`, { count, refused: exceptions.length }) : t('looking')}
        </p>
        {cut > 0 && <p className="text-small">{t('moreMatch', { count: cut })}</p>}
      </div>
      {exceptions.length > 0 && <ExceptionList items={exceptions} />}
      {count > 0 && (
        <div className="grid gap-1">
          <p className="text-small text-ink-3">{t('means')}</p>
          <DoableList label={t(`list.${outcome}`, { count })} items={doable} />
        </div>
      )}
    </>
  )
}
