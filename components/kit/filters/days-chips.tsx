'use client'
import { useTranslations } from 'use-intl'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useZone } from '../zones/use-zone.ts'
import { type ChosenDays, DaysEditor } from './days-editor.tsx'
import { FilterChip } from './filter-chip.tsx'
import { useDayRange } from './use-day-range.ts'
import type { Days } from './written-between.ts'

const ZonePicker = lazyPart(() => import('../zones/zone-picker.tsx').then(({ ZonePicker }) => ZonePicker))

interface DaysChipsProps {
  days: Days
  onChoose: (days: ChosenDays) => void
  onZone: (timeZone: string) => void
  /** Set where the range can be removed. */
  onRemove?: () => void
  isZoneShown?: boolean
}

/** "between 26 Oct and 14 Nov 2026 in Asia/Kathmandu". */
export function DaysChips({ days, onChoose, onZone, onRemove, isZoneShown = true }: DaysChipsProps) {
  const t = useTranslations('filtering')
  const range = useDayRange(days)
  const { zone } = useZone()
  return (
    <>
      {range && <span>{t(`lead.${range.words}`)}</span>}
      <FilterChip
        label={t('days')}
        value={range?.days ?? t('allDays')}
        onRemove={range && onRemove}
        removeLabel={t('dropDays')}
      >
        {(close) => (
          <DaysEditor
            days={days}
            zone={zone}
            onChoose={(chosen) => {
              close()
              onChoose(chosen)
            }}
          />
        )}
      </FilterChip>
      {isZoneShown && (
        <>
          <span>{t('in')}</span>
          <FilterChip label={t('zone')} value={zone.replaceAll('_', ' ')}>
            {(close) => (
              <ZonePicker
                chosen={zone}
                onChoose={(timeZone) => {
                  close()
                  onZone(timeZone)
                }}
              />
            )}
          </FilterChip>
        </>
      )}
    </>
  )
}
