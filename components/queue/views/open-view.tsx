'use client'
import { useTranslations } from 'use-intl'
import { NO_FILTERS } from '#components/kit/addresses/queue-search.ts'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { OPEN_VIEW } from './focus-view.ts'
import { matchesView } from './saved-search.ts'
import { useOpenView } from './use-open-view.ts'

const ViewPopover = lazyPart(() => import('./view-popover.tsx').then(({ ViewPopover }) => ViewPopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

/** The open view, whether it opened by default, and a link that leaves it. */
export function OpenView() {
  const t = useTranslations('views')
  const { search, narrow } = useQueueFilter()
  const open = useOpenView()
  if (!open) return null
  const { view, lead } = open

  return (
    <>
      <span>{lead}</span>
      <Chip
        onRemove={() => narrow({ ...NO_FILTERS, view: 'waiting', order: 'newest', savedView: null })}
        removeLabel={t('leave')}
      >
        <LazyPopover
          opens="dialog"
          button={
            <ChipButton id={OPEN_VIEW}>
              <bdi>{view.name}</bdi>
              {!matchesView(search, view) && <span className="font-normal text-ink-3"> {t('changed')}</span>}
            </ChipButton>
          }
        >
          {(trigger) => <ViewPopover view={view} trigger={trigger} />}
        </LazyPopover>
      </Chip>
      <span aria-hidden>·</span>
    </>
  )
}
