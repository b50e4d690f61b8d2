'use client'
import { lazy, Suspense } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { useTranslations } from 'use-intl'
import { Floating } from '#components/ui/floating.tsx'
import { useQueueFilter } from './use-queue-filter.ts'

const WrittenPicker = lazy(() =>
  import('./written-picker.tsx').then(({ WrittenPicker }) => ({ default: WrittenPicker })),
)

/** Hangs from the button beside it; the calendar is loaded when it opens. */
export function WrittenPopover() {
  const t = useTranslations('queue.written')
  const { search, zone, narrow } = useQueueFilter()
  return (
    <Floating>
      <Dialog aria-label={t('title')} className="outline-none">
        {({ close }) => (
          <Suspense fallback={<div aria-busy className="h-80 w-72" />}>
            <WrittenPicker
              days={search}
              timeZone={zone}
              onChoose={(days) => {
                close()
                // The zone goes into the link, so that it means the same days to whoever opens it.
                narrow({ ...days, timeZone: zone })
              }}
            />
          </Suspense>
        )}
      </Dialog>
    </Floating>
  )
}
