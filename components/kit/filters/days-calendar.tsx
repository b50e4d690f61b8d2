'use client'
import { type CalendarDate, parseDate } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { DateField, DateInput, DateSegment } from 'react-aria-components/DateField'
import { Label } from 'react-aria-components/Label'
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
import { Button } from '#components/ui/button.tsx'
import type { Days } from './written-between.ts'

interface DaysCalendarProps {
  days: Days
  today: string
  onChoose: (startDate: string, endDate: string) => void
}

/** The first and last day: typed, where either may be left out, or from a calendar without days after today. */
export function DaysCalendar({ days, today, onChoose }: DaysCalendarProps) {
  const t = useTranslations('filters')
  const start = toDate(days.startDate)
  const end = toDate(days.endDate)
  const latest = parseDate(today)
  const [from, setFrom] = useState<CalendarDate | null>(start ?? null)
  const [until, setUntil] = useState<CalendarDate | null>(end ?? null)

  return (
    <div>
      <form
        className="mb-3 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          onChoose(from?.toString() ?? '', until?.toString() ?? '')
        }}
      >
        <DayField label={t('written.from')} value={from} onChange={setFrom} />
        <DayField label={t('written.until')} value={until} onChange={setUntil} />
        <Button type="submit">{t('written.show')}</Button>
      </form>
      <RangeCalendar
        aria-label={t('titles.written')}
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
    </div>
  )
}

interface DayFieldProps {
  label: string
  value: CalendarDate | null
  onChange: (day: CalendarDate | null) => void
}

/** A day in the order and calendar of the desk's language, not of the browser's. */
function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <DateField value={value} onChange={onChange} className="grid min-w-0 gap-0.5">
      <Label className="text-small text-ink-3">{label}</Label>
      <DateInput className="flex h-control min-w-27 items-center rounded-2 border border-line-control bg-raised px-1.5 text-ink">
        {(segment) => (
          <DateSegment
            segment={segment}
            className="rounded-1 px-px outline-none placeholder-shown:text-ink-3 focus:bg-accent focus:text-on-accent"
          />
        )}
      </DateInput>
    </DateField>
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

/** A day as the calendar takes it; undefined for an invalid one, as a link may contain anything. */
function toDate(day: string | null): CalendarDate | undefined {
  try {
    return day ? parseDate(day) : undefined
  } catch {
    return undefined
  }
}
