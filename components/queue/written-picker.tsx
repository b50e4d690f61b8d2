'use client'
import { type CalendarDate, parseDate } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar,
} from 'react-aria-components/RangeCalendar'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { Button } from '#components/ui/button.tsx'
import { type Days, dayOf, lastDays } from './written-between.ts'

const PRESETS = ['today', 'yesterday', 'last7', 'last30'] as const

interface WrittenPickerProps {
  days: Days
  timeZone: string
  onChoose: (days: { startDate: string; endDate: string }) => void
}

/** First and last day, from a calendar or by a common name. */
export function WrittenPicker({ days, timeZone, onChoose }: WrittenPickerProps) {
  const t = useTranslations('queue.written')
  const now = useNow()
  const today = parseDate(dayOf(now, timeZone))
  const start = toDate(days.startDate)
  const end = toDate(days.endDate)

  return (
    <div className="flex gap-3 p-3 phone:flex-col">
      <div className="grid content-start gap-1 phone:grid-cols-2">
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            look="bare"
            className="justify-start!"
            onPress={() => onChoose(presetDays(preset, timeZone, now))}
          >
            {t(preset)}
          </Button>
        ))}
      </div>
      <RangeCalendar
        aria-label={t('title')}
        defaultValue={start && end ? { start, end } : null}
        defaultFocusedValue={end ?? start ?? today}
        maxValue={today}
        onChange={({ start, end }) => onChoose({ startDate: start.toString(), endDate: end.toString() })}
      >
        <header className="mb-1 flex items-center">
          <MonthButton slot="previous" />
          <Heading className="flex-1 text-center font-firm text-ink" />
          <MonthButton slot="next" />
        </header>
        <CalendarGrid className="border-collapse">
          <CalendarGridHeader>
            {(day) => <CalendarHeaderCell className="size-8 text-micro font-firm text-ink-3">{day}</CalendarHeaderCell>}
          </CalendarGridHeader>
          <CalendarGridBody>
            {(date) => (
              <CalendarCell
                date={date}
                className="grid size-8 place-items-center text-ink outside-month:hidden hover:bg-hover selected:bg-accent-tint selection-start:rounded-s-2 selection-start:bg-accent selection-start:text-on-accent selection-end:rounded-e-2 selection-end:bg-accent selection-end:text-on-accent disabled:text-ink-3 disabled:opacity-50 focus-visible:-outline-offset-2"
              />
            )}
          </CalendarGridBody>
        </CalendarGrid>
      </RangeCalendar>
    </div>
  )
}

function MonthButton({ slot }: { slot: 'previous' | 'next' }) {
  const Icon = slot === 'previous' ? ChevronLeft : ChevronRight
  return (
    <AriaButton slot={slot} className="grid size-8 place-items-center rounded-2 text-ink-2 hover:bg-hover">
      <Icon className="rtl:-scale-x-100" />
    </AriaButton>
  )
}

/** Nothing for a day that does not exist: a link may hold anything. */
function toDate(day: string | null): CalendarDate | undefined {
  try {
    return day ? parseDate(day) : undefined
  } catch {
    return undefined
  }
}

function presetDays(preset: (typeof PRESETS)[number], timeZone: string, now: Date) {
  const { startDate, endDate } = lastDays(preset === 'last30' ? 30 : 7, timeZone, now)
  if (preset === 'today') return { startDate: endDate, endDate }
  if (preset !== 'yesterday') return { startDate, endDate }
  const yesterday = lastDays(2, timeZone, now).startDate
  return { startDate: yesterday, endDate: yesterday }
}
