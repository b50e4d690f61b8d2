'use client'
import { useTranslations } from 'use-intl'
import { Choices } from '#components/ui/choices.tsx'
import { MUTE_TERMS, useMuteTerm } from './mute-term.ts'

interface MuteChoiceProps {
  /** Undefined: the author isn't muted. */
  minutes: number | undefined
  onChoose: (minutes: number | undefined) => void
}

/** For how long the author is muted, if at all; a term that was set over the interface is among the choices. */
export function MuteChoice({ minutes, onChoose }: MuteChoiceProps) {
  const t = useTranslations('rules.form')
  const muteTerm = useMuteTerm()
  const terms = minutes === undefined || MUTE_TERMS.includes(minutes) ? MUTE_TERMS : [...MUTE_TERMS, minutes]
  return (
    <div>
      <Choices
        legend={t('mute')}
        choices={[
          { id: '', label: t('noMute') },
          ...terms.map((term) => ({ id: String(term), label: muteTerm(term) })),
        ]}
        chosen={minutes === undefined ? '' : String(minutes)}
        onChoose={(id) => onChoose(id === '' ? undefined : Number(id))}
        columns={3}
      />
      <p className="mt-1 text-small text-ink-3">{t('muteHint')}</p>
    </div>
  )
}
