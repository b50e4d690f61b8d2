'use client'
import { useTranslations } from 'use-intl'
import { SearchList } from '#components/ui/search-list.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'
import { useFacets } from './use-facets.ts'

/** Selects a label of the rules that hold items here now. */
export function LabelEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  const { facets, empty } = useFacets(t('noSuchLabel'))
  return (
    <SearchList
      label={t('titles.label')}
      find={t('findLabel')}
      empty={empty}
      choices={(facets?.labels ?? []).map((label) => ({ id: label, label }))}
      chosen={search.label ?? undefined}
      onChoose={(label) => onChoose({ label })}
    />
  )
}
