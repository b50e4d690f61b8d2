'use client'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '../acts/act-form.tsx'
import { useDraft } from '../acts/use-draft.ts'
import { PolicyField } from '../policies/policy-field.tsx'
import { useZone } from '../zones/use-zone.ts'
import { ReasonField } from './reason-field.tsx'
import { type ChosenTerm, TermChoice } from './term-choice.tsx'
import { minutesOf, termIn, termOf } from './terms.ts'
import { useBanErrorMessage } from './use-ban-error-message.ts'
import { useTermPhrase } from './use-term-phrase.ts'

export interface SanctionTerms {
  /** What is sent. */
  terms: { minutes: number | null; reason?: string; policyId?: string }
  /** The label of the duration. */
  term: string
}

interface SanctionDialogProps {
  title: string
  submit: string
  look?: 'primary' | 'reject'
  /** Whether it is for a policy that was broken. */
  hasPolicy?: boolean
  /** The key under which the draft is kept. */
  draft: string
  /** The preselected duration; Enter alone then submits. */
  term?: ChosenTerm['term']
  /** Keys pressed while the dialog was loading: the last digit selects the duration. */
  typed: string[]
  isPending: boolean
  error: unknown
  /** Why it failed, where the dialog knows more than the error says. */
  failure?: string | undefined
  onSubmit: (measured: SanctionTerms) => Promise<void>
  onClose: () => void
  /** Further keys. */
  onKey?: (key: string) => void
  children?: ReactNode
  /** Below the duration and the reason. */
  after?: ReactNode
}

/** The duration, policy and reason of a sanction. */
export function SanctionDialog(props: SanctionDialogProps) {
  const {
    draft,
    term,
    typed,
    error,
    failure,
    onKey,
    onSubmit,
    children,
    after,
    look = 'reject',
    hasPolicy = true,
    ...form
  } = props
  const t = useTranslations('ban')
  const { zone } = useZone()
  const errorMessageOf = useBanErrorMessage()
  const termPhrase = useTermPhrase()
  const [chosen, setChosen] = useState<ChosenTerm>(() => ({ term: termIn(typed) ?? term, lastDay: '' }))
  const [policyId, setPolicyId] = useState<string>()
  const [asked, setAsked] = useState<string>()
  const [reason, write, forget] = useDraft(draft, { typed: [] })

  async function send(): Promise<void> {
    const minutes = chosen.term && minutesOf({ ...chosen, term: chosen.term, now: new Date(), zone })
    if (minutes === undefined) return setAsked(t(chosen.term === 'until' ? 'chooseDay' : 'chooseTerm'))
    setAsked(undefined)
    const said = reason.trim()
    await onSubmit({
      terms: { minutes, ...(said && { reason: said }), ...(policyId && { policyId }) },
      term: termPhrase(chosen),
    })
    forget()
  }
  return (
    <ActForm
      {...form}
      look={look}
      typed={typed}
      failure={asked ?? failure ?? (error ? errorMessageOf(error) : undefined)}
      onKey={(key) => {
        setChosen((before) => ({ ...before, term: termOf(key) ?? before.term }))
        onKey?.(key)
      }}
      onSubmit={() => void send().catch(() => undefined)}
    >
      {children}
      <TermChoice chosen={chosen} onChange={setChosen} />
      {hasPolicy && <PolicyField policyId={policyId} onChange={setPolicyId} />}
      <ReasonField reason={reason} onChange={write} />
      {after}
    </ActForm>
  )
}
