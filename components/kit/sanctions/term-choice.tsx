'use client'
import { useTranslations } from 'use-intl'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import { useZone } from '../zones/use-zone.ts'
import { TERMS, type Term } from './terms.ts'

export interface ChosenTerm {
  term: Term | undefined
  /** With the term `until`: the last day of the sanction. */
  lastDay: string
}

interface TermChoiceProps {
  chosen: ChosenTerm
  onChange: (chosen: ChosenTerm) => void
  /** Whether the form selects one by its digit. */
  hasKeys?: boolean
}

/** The duration: one of a few, each with its digit where the form has them, or until the end of a day. */
export function TermChoice({ chosen, onChange, hasKeys = true }: TermChoiceProps) {
  const t = useTranslations('ban')
  const { zone } = useZone()
  return (
    <>
      <Choices
        legend={t('howLong')}
        columns={3}
        autoFocus
        chosen={chosen.term}
        onChoose={(term) => onChange({ ...chosen, term })}
        choices={TERMS.map((id, index) => ({ id, label: t(`terms.${id}`), ...(hasKeys && { cap: `${index + 1}` }) }))}
      />
      {chosen.term === 'until' && (
        <Field
          label={t('lastDay')}
          hint={t('lastDayHint', { zone })}
          type="date"
          value={chosen.lastDay}
          onChange={(event) => onChange({ ...chosen, lastDay: event.target.value })}
        />
      )}
    </>
  )
}
