'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { CONTENT_KINDS, CONTENT_STATES, type PersonSearch } from '#components/kit/addresses/person-search.ts'
import { DaysChips } from '#components/kit/filters/days-chips.tsx'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'

interface ContentFiltersProps {
  search: PersonSearch
  /** The names of communities, as far as the page has them. */
  names: ReadonlyMap<string, string>
  onNarrow: (change: Partial<PersonSearch>) => void
}

/** The filters of what a person wrote. */
export function ContentFilters({ search, names, onNarrow }: ContentFiltersProps) {
  const t = useTranslations('users')
  const [found, setFound] = useState<string>()
  const { state, kind, communityId } = search
  return (
    <div className="flex flex-wrap items-center gap-1.5 pb-2">
      <OneOf
        label={t('standing')}
        any={t('decide.anyState')}
        without={t('allStates')}
        choices={CONTENT_STATES.map((id) => ({ id, label: t(`contentStates.${id}`) }))}
        chosen={state}
        onChoose={(state) => onNarrow({ state })}
      />
      <OneOf
        label={t('decide.kind')}
        any={t('decide.anyKind')}
        without={t('decide.dropKind')}
        choices={CONTENT_KINDS.map((id) => ({ id, label: t(`contentKinds.${id}`) }))}
        chosen={kind}
        onChoose={(kind) => onNarrow({ kind })}
      />
      <FoundChip
        what="community"
        chosen={communityId}
        name={communityId === null ? undefined : (names.get(communityId) ?? found)}
        onChoose={(communityId, name) => {
          setFound(name)
          onNarrow({ communityId })
        }}
      />
      <DaysChips
        days={search}
        onChoose={onNarrow}
        onZone={(timeZone) => onNarrow({ timeZone })}
        onRemove={() => onNarrow({ startDate: null, endDate: null, timeZone: null })}
        isZoneShown={search.startDate !== null || search.endDate !== null}
      />
    </div>
  )
}

interface OneOfProps<Id extends string> {
  label: string
  any: string
  without: string
  choices: { id: Id; label: string }[]
  chosen: Id | null
  onChoose: (chosen: Id | null) => void
}

function OneOf<Id extends string>({ label, any, without, choices, chosen, onChoose }: OneOfProps<Id>) {
  const all = [{ id: 'any' as const, label: any }, ...choices]
  return (
    <Chip onRemove={chosen === null ? undefined : () => onChoose(null)} removeLabel={without}>
      <ChoiceMenu
        label={label}
        choices={all}
        chosen={chosen ?? 'any'}
        onChoose={(id) => onChoose(id === 'any' ? null : (id as Id))}
      >
        <ChipButton>{all.find(({ id }) => id === (chosen ?? 'any'))?.label}</ChipButton>
      </ChoiceMenu>
    </Chip>
  )
}
