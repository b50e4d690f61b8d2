'use client'
import { lazy, Suspense } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { useTranslations } from 'use-intl'
import { Floating } from '#components/ui/floating.tsx'

const ZonePicker = lazy(() => import('./zone-picker.tsx').then(({ ZonePicker }) => ({ default: ZonePicker })))

/** Hangs from the button beside it; what it holds is loaded when it opens. */
export function ZonePopover(props: { chosen: string; onChoose: (zone: string) => void }) {
  const t = useTranslations('shell')
  return (
    <Floating className="w-80">
      <Dialog aria-label={t('chooseZone')} className="outline-none">
        {({ close }) => (
          <Suspense fallback={<div aria-busy className="h-96" />}>
            <ZonePicker
              chosen={props.chosen}
              onChoose={(zone) => {
                close()
                props.onChoose(zone)
              }}
            />
          </Suspense>
        )}
      </Dialog>
    </Floating>
  )
}
