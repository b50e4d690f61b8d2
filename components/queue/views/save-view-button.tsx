'use client'
import { BookmarkPlus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { SAVE_VIEW } from './focus-view.ts'
import { isUnfiltered } from './saved-search.ts'

const SavePopover = lazyPart(() => import('./save-popover.tsx').then(({ SavePopover }) => SavePopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

/** Saves the current filters under a name, if there are any and no view has them yet. */
export function SaveViewButton() {
  const t = useTranslations('views')
  const { search } = useQueueFilter()
  if (search.savedView || isUnfiltered({ ...search, item: null })) return null

  return (
    <LazyPopover
      opens="dialog"
      button={
        <Button id={SAVE_VIEW} look="bare" size="small">
          <BookmarkPlus className="size-3.5" />
          {t('save')}
        </Button>
      }
    >
      {(trigger) => <SavePopover trigger={trigger} />}
    </LazyPopover>
  )
}
