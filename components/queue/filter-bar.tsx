'use client'
import { ListFilter } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import type { QueuePage } from '#server/modules/review/schema.ts'
import { FilterProse } from './filter-prose.tsx'
import { FilterSentence } from './filter-sentence.tsx'
import { useQueueFilter } from './use-queue-filter.ts'
import type { Totals } from './use-totals.ts'

const Sheet = lazy(() => import('#components/ui/sheet.tsx').then(({ Sheet }) => ({ default: Sheet })))

export interface FilterProps {
  totals: Totals | undefined
  narrowedTo: QueuePage['narrowedTo'] | undefined
}

/** The filters read as a sentence whose parts are chips; on a phone as prose, with the chips in a sheet. */
export function FilterBar(props: FilterProps) {
  const t = useTranslations('queue')
  const { search } = useQueueFilter()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const filters = [search.communityId, search.postId, search.startDate ?? search.endDate].filter(Boolean).length

  return (
    <search
      aria-label={t('filters')}
      className="shrink-0 border-b border-line-strong bg-surface phone:group-data-open/desk:hidden"
    >
      <div className="min-h-10 py-2 ps-3 pe-4 phone:hidden">
        <FilterSentence {...props} />
      </div>
      <div className="hidden items-center gap-2 px-3 py-2 phone:flex">
        <FilterProse {...props} />
        <Button aria-label={t('filterCount', { count: filters })} onPress={() => setSheetOpen(true)}>
          <ListFilter />
          {filters > 0 && filters}
        </Button>
      </div>
      {isSheetOpen && (
        <Suspense>
          <Sheet title={t('filters')} isOpen onOpenChange={setSheetOpen}>
            <div className="px-3.5 pt-2 pb-4">
              <FilterSentence {...props} />
            </div>
          </Sheet>
        </Suspense>
      )}
    </search>
  )
}
