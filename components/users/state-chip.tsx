'use client'
import { useTranslations } from 'use-intl'
import { PERSON_STATES } from '#components/kit/addresses/users-search.ts'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import type { PersonState } from '#server/modules/people/schema.ts'

interface StateChipProps {
  state: PersonState | null
  onChoose: (state: PersonState | null) => void
}

/** The state that people are filtered by: any, or one. */
export function StateChip({ state, onChoose }: StateChipProps) {
  const t = useTranslations('users')
  const choices = [
    { id: 'any' as const, label: t('states.any') },
    ...PERSON_STATES.map((id) => ({ id, label: t(`states.${id}`) })),
  ]
  return (
    <Chip onRemove={state ? () => onChoose(null) : undefined} removeLabel={t('allStates')}>
      <ChoiceMenu
        label={t('standing')}
        choices={choices}
        chosen={state ?? 'any'}
        onChoose={(id) => onChoose(id === 'any' ? null : id)}
      >
        <ChipButton>{t(`states.${state ?? 'any'}`)}</ChipButton>
      </ChoiceMenu>
    </Chip>
  )
}
