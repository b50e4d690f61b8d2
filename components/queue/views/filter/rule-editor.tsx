'use client'
import { useTranslations } from 'use-intl'
import { SearchList } from '#components/ui/search-list.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'
import { useFacets } from './use-facets.ts'

/** Selects a rule that holds items here now. */
export function RuleEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  const { facets, empty } = useFacets(t('noSuchRule'))
  return (
    <SearchList
      label={t('titles.rule')}
      find={t('findRule')}
      empty={empty}
      choices={(facets?.rules ?? []).map(({ ruleId, name }) => ({ id: ruleId, label: name }))}
      chosen={search.ruleId ?? undefined}
      onChoose={(ruleId) => onChoose({ ruleId })}
    />
  )
}
