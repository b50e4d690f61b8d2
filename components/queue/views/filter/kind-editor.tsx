'use client'
import { useTranslations } from 'use-intl'
import { kindsOf } from '#components/kit/addresses/queue-search.ts'
import { ChoiceList } from '#components/ui/choice-list.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'

const ANY = { waiting: 'both', mine: 'both', escalated: 'both', reported: 'any' } as const

export function KindEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  const any = ANY[search.view]
  const kinds = kindsOf(search.view)
  return (
    <ChoiceList
      label={t('titles.kind')}
      choices={[any, ...kinds].map((id) => ({ id, label: t(`kinds.${id}`) }))}
      chosen={search.kind ?? any}
      onChoose={(id) => onChoose({ kind: kinds.find((kind) => kind === id) ?? null })}
    />
  )
}
