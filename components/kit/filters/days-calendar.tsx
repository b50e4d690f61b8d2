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
import type { Days } from './written-between.ts'

interface DaysCalendarProps {
  days: Days
  today: string
  onChoose: (startDate: string, endDate: string) => void
}

/** Selects the first and last day from a calendar; no day after today. */
export function DaysCalendar({ days, today, onChoose }: DaysCalendarProps) {
  const t = useTranslations('filters.titles')
  const start = toDate(days.startDate)
  const end = toDate(days.endDate)
  const latest = parseDate(today)

  return (
    <RangeCalendar
      aria-label={t('written')}
      defaultValue={start && end ? { start, end } : null}
      defaultFocusedValue={end ?? start ?? latest}
      maxValue={latest}
      onChange={({ start, end }) => onChoose(start.toString(), end.toString())}
    >
      <div className="mb-1 flex items-center">
        <MonthButton slot="previous" />
        <Heading className="flex-1 text-center font-firm text-ink" />
        <MonthButton slot="next" />
      </div>
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

/** Undefined for an invalid day: a link may contain anything. */
function toDate(day: string | null): CalendarDate | undefined {
  try {
    return day ? parseDate(day) : undefined
  } catch {
    return undefined
  }
}
