'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import { ReasonChoices } from './reason-choices.tsx'

const WORDS_LENGTH = 250

/** A managed reason, free text, or both, and the text that is shown. */
export interface ChosenReason {
  reasonId?: string
  reason?: string
  label: string
}

/** The initial text, and keys pressed while the dialog was loading. */
interface Begun {
  words?: string | undefined
  typed: string[]
}

/**
 * The fields of a reason: a managed one, free text, or both. The text field has the focus, except where the reason is optional: there a
 * digit selects a reason from the first key on.
 */
export function useReasonFields(draftName: string, begun: Begun, { isAside = false }: { isAside?: boolean } = {}) {
  const t = useTranslations('reasons')
  const { data: reasons = [] } = useQuery(reasonsOptions(useTRPC()))
  const reasonAt = (key: string) => (/^[1-9]$/.test(key) ? reasons[Number(key) - 1] : undefined)
  const [reasonId, choose] = useState(() =>
    isAside ? begun.typed.map(reasonAt).findLast(Boolean)?.reasonId : undefined,
  )
  const [words, write, forget] = useDraft(draftName, isAside ? { ...begun, typed: [] } : begun)
  const chosen = reasons.find((reason) => reason.reasonId === reasonId)
  const said = words.trim()
  const why: ChosenReason | undefined =
    chosen || said
      ? {
          ...(chosen && { reasonId: chosen.reasonId }),
          ...(said && { reason: said }),
          label: said || (chosen?.label ?? ''),
        }
      : undefined

  return {
    why,
    forget,
    chooseByKey: (key: string) => {
      const reason = reasonAt(key)
      if (reason) choose(reason.reasonId)
    },
    fields: (
      <>
        <ReasonChoices reasons={reasons} chosen={reasonId} onChoose={choose} />
        {chosen?.textToAuthor && (
          <p className="rounded-2 bg-sunken px-2.5 py-[7px] text-small">
            {t.rich('toAuthor', { q: () => <q className="text-ink">{chosen.textToAuthor}</q> })}
          </p>
        )}
        <TextBox
          label={t('words')}
          hint={t('wordsHint')}
          value={words}
          onChange={write}
          maxLength={WORDS_LENGTH}
          rows={2}
          autoFocus={!isAside}
        />
      </>
    ),
  }
}
