'use client'
import { lazy } from 'react'
import { useTranslations } from 'use-intl'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { OnDemand } from '#components/ui/on-demand.tsx'
import type { SavedView } from '#server/modules/views/schema.ts'
import { NOTHING_NARROWED } from '../queue-search.ts'
import { useQueueFilter } from '../use-queue-filter.ts'
import { isAsSaved } from './saved-search.ts'
import { useViews } from './use-views.ts'

const ViewPopover = lazy(() => import('./view-popover.tsx').then(({ ViewPopover }) => ({ default: ViewPopover })))

/** Which saved view is open, whether it opened by itself, and the way out of it. */
export function OpenView() {
  const t = useTranslations('views')
  const { search, narrow } = useQueueFilter()
  const view = useViews().find(({ viewId }) => viewId === search.savedView)
  if (!view) return null

  return (
    <>
      <span>{t(kindOf(view))}</span>
      <Chip
        onRemove={() => narrow({ ...NOTHING_NARROWED, view: 'waiting', order: 'newest', savedView: null })}
        removeLabel={t('leave')}
      >
        <OnDemand
          opens="dialog"
          button={
            <ChipButton>
              <bdi>{view.name}</bdi>
              {!isAsSaved(search, view) && <span className="font-normal text-ink-3"> {t('changed')}</span>}
            </ChipButton>
          }
        >
          {(hanging) => <ViewPopover view={view} hanging={hanging} />}
        </OnDemand>
      </Chip>
      <span aria-hidden>·</span>
    </>
  )
}

function kindOf({ isDefault, isShared }: SavedView) {
  if (!isDefault) return 'view'
  return isShared ? 'everyonesDefault' : 'yourDefault'
}
