'use client'
import { DaysEditor } from '#components/kit/filters/days-editor.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'

/** The days on which pending items were written. */
export function WrittenEditor({ onChoose }: EditorProps) {
  const { search, zone } = useQueueFilter()
  return <DaysEditor days={search} zone={zone} onChoose={(days, period) => onChoose({ ...days, period })} />
}
