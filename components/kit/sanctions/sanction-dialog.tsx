'use client'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '../acts/act-form.tsx'
import { useDraft } from '../acts/use-draft.ts'
import { useZone } from '../zones/use-zone.ts'
import { ReasonField } from './reason-field.tsx'
import { type ChosenTerm, TermChoice } from './term-choice.tsx'
import { minutesOf, termOf } from './terms.ts'
import { useBanErrorMessage } from './use-ban-error-message.ts'

export interface SanctionTerms {
  minutes: number | null
  reason: string
  /** For how long, in words. */
  term: string
}

interface SanctionDialogProps {
  title: string
  submit: string
  /** Under which name what was written is kept. */
  draft: string
  /** Chosen already: then Enter alone will do. */
  term?: ChosenTerm['term']
  isPending: boolean
  error: unknown
  onSubmit: (measured: SanctionTerms) => Promise<void>
  onClose: () => void
  children?: ReactNode
}

/** For how long, and why. */
export function SanctionDialog({ draft, term, error, onSubmit, children, ...form }: SanctionDialogProps) {
  const t = useTranslations('ban')
  const { zone } = useZone()
  const errorMessageOf = useBanErrorMessage()
  const [chosen, setChosen] = useState<ChosenTerm>({ term, lastDay: '' })
  const [asked, setAsked] = useState<string>()
  const [reason, write, forget] = useDraft(draft, { typed: [] })

  async function send(): Promise<void> {
    const minutes = chosen.term && minutesOf({ ...chosen, term: chosen.term, now: new Date(), zone })
    if (minutes === undefined) return setAsked(t(chosen.term === 'until' ? 'chooseDay' : 'chooseTerm'))
    setAsked(undefined)
    await onSubmit({
      minutes,
      reason: reason.trim(),
      term: t(`for.${chosen.term ?? 'forever'}`, { day: chosen.lastDay }),
    })
    forget()
  }
  return (
    <ActForm
      {...form}
      look="reject"
      failure={asked ?? (error ? errorMessageOf(error) : undefined)}
      onKey={(key) => setChosen((before) => ({ ...before, term: termOf(key) ?? before.term }))}
      onSubmit={() => void send().catch(() => undefined)}
    >
      {children}
      <TermChoice chosen={chosen} onChange={setChosen} />
      <ReasonField reason={reason} onChange={write} />
    </ActForm>
  )
}
