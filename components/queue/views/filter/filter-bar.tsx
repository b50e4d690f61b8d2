'use client'
import { ListFilter } from 'lucide-react'
import { type ComponentProps, memo, useDeferredValue, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { QueuePage } from '#server/modules/review/queue/schema.ts'
import type { Totals } from '../use-totals.ts'
import type { FilterEditing } from './filter-editing.ts'
import { FilterProse } from './filter-prose.tsx'
import { FilterSentence } from './filter-sentence.tsx'
import { useFilterParts } from './use-filter-parts.ts'
import { useNames } from './use-names.ts'

const Sheet = lazyPart(() => import('#components/ui/sheet.tsx').then(({ Sheet }) => Sheet), {
  onFailed: ({ onOpenChange }) => onOpenChange(false),
})

interface FilterBarProps {
  totals: Totals | undefined
  narrowedTo: QueuePage['narrowedTo'] | undefined
  editing: FilterEditing
}

/**
 * The filters as a sentence of chips; on a phone as prose, with the chips in a sheet. Counts update one frame after the next item is
 * rendered, which the moderator is waiting for.
 */
export function FilterBar({ totals, ...rest }: FilterBarProps) {
  return <Bar totals={useDeferredValue(totals)} {...rest} />
}

const Bar = memo(function Bar({ totals, narrowedTo, editing }: FilterBarProps) {
  const t = useTranslations('filters')
  const names = useNames(narrowedTo)
  const parts = useFilterParts(names)
  const { community } = names
  const filters = parts.filter(({ id }) => id !== 'zone').length + (community ? 1 : 0)
  const sentence = { totals, parts, community, editing }

  return (
    <search
      aria-label={t('title')}
      className="shrink-0 border-b border-line-strong bg-surface phone:group-data-open/desk:hidden print:hidden"
    >
      <div className="min-h-10 py-2 ps-3 pe-4 phone:hidden">
        {!editing.isSheetOpen && <FilterSentence {...sentence} />}
      </div>
      <div className="hidden items-center gap-2 px-3 py-2 phone:flex">
        <FilterProse {...sentence} />
        <Button aria-label={t('count', { count: filters })} onPress={() => editing.setSheetOpen(true)}>
          <ListFilter />
          {filters > 0 && filters}
        </Button>
      </div>
      {editing.isSheetOpen && (
        <Sheet title={t('title')} isOpen onOpenChange={editing.setSheetOpen}>
          <div className="px-3.5 pt-2 pb-4">
            <SentenceInSheet {...sentence} />
          </div>
        </Sheet>
      )}
    </search>
  )
})

/** A key can request the sheet and an editor at once. An editor opened before the sheet would be inert behind it. */
function SentenceInSheet({ editing, ...sentence }: ComponentProps<typeof FilterSentence>) {
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return <FilterSentence {...sentence} editing={isThere ? editing : { ...editing, edited: undefined }} />
}
