'use client'
import { useTranslations } from 'use-intl'
import { ChoiceList } from '#components/ui/choice-list.tsx'
import { KINDS } from '../queue-search.ts'
import { useQueueFilter } from '../use-queue-filter.ts'
import type { EditorProps } from './filter-popover.tsx'

const BOTH = 'both'
const CHOICES = [BOTH, ...KINDS] as const

export function KindEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  return (
    <ChoiceList
      label={t('titles.kind')}
      choices={CHOICES.map((id) => ({ id, label: t(`kinds.${id}`) }))}
      chosen={search.kind ?? BOTH}
      onChoose={(id) => onChoose({ kind: KINDS.find((kind) => kind === id) ?? null })}
    />
  )
}
