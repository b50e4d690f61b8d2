'use client'
import { useTranslations } from 'use-intl'
import { ChoiceList } from '#components/ui/choice-list.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'
import { useHeldFor } from './use-held-for.ts'

const MINUTES = [30, 60, 4 * 60, 6 * 60, 12 * 60, 1_440, 3 * 1_440, 10_080, 4 * 10_080]

export function HeldForEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters.titles')
  const heldFor = useHeldFor()
  const { search } = useQueueFilter()
  return (
    <ChoiceList
      label={t('heldFor')}
      choices={MINUTES.map((minutes) => ({ id: String(minutes), label: heldFor(minutes) }))}
      chosen={search.heldForMinutes === null ? undefined : String(search.heldForMinutes)}
      onChoose={(minutes) => onChoose({ heldForMinutes: Number(minutes) })}
    />
  )
}
