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

/** The duration: one of a few, each with its digit, or until the end of a day. */
export function TermChoice({ chosen, onChange }: { chosen: ChosenTerm; onChange: (chosen: ChosenTerm) => void }) {
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
        choices={TERMS.map((id, index) => ({ id, label: t(`terms.${id}`), cap: `${index + 1}` }))}
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
