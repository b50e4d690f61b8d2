'use client'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { Button } from '#components/ui/button.tsx'
import { Keycap } from '#components/ui/keycap.tsx'
import { comboOf } from '#components/ui/keys.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { PERIODS, type Period, periodDays } from '#server/core/periods.ts'
import { presetOf } from './presets.ts'
import { type Days, dayOf } from './written-between.ts'

const DaysCalendar = lazyPart(() => import('./days-calendar.tsx').then(({ DaysCalendar }) => DaysCalendar), {
  loading: <div aria-busy className="h-86 w-64" />,
})

/** Includes the zone, so that a link means the same days for everyone who opens it. */
export type ChosenDays = Days & { timeZone: string }

interface DaysEditorProps {
  days: Days
  zone: string
  /** With the period, if the days were chosen as one. */
  onChoose: (days: ChosenDays, period: Period | null) => void
}

/** First and last day: by preset, each with its digit, typed, or from a calendar. Either end may be open. */
export function DaysEditor({ days, zone, onChoose }: DaysEditorProps) {
  const t = useTranslations('filters.written')
  const now = useNow()
  const today = dayOf(now, zone)

  function choose(one: string, other: string, period: Period | null = null): void {
    const [startDate, endDate] = one && other && one > other ? [other, one] : [one, other]
    onChoose({ startDate: startDate || null, endDate: endDate || null, timeZone: zone }, period)
  }
  function choosePreset(preset: Period): void {
    const { startDate, endDate } = periodDays(preset, today)
    choose(startDate, endDate, preset)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const preset = presetOf(comboOf(event.nativeEvent) ?? '')
    if (!preset || isTypedIn(event.target)) return
    event.preventDefault()
    choosePreset(preset)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the digits are shortcuts of the buttons in it
    <div className="flex gap-3 p-3 phone:flex-col" onKeyDown={onKeyDown}>
      {/* One tab stop, so that the days are the next. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons in it */}
      <div className="grid content-start gap-1 phone:grid-cols-2" onKeyDown={moveByArrow}>
        {PERIODS.map((preset, index) => (
          <Button
            key={preset}
            look="bare"
            className="w-full justify-start!"
            aria-keyshortcuts={`${index + 1}`}
            autoFocus={index === 0}
            tabIndex={index === 0 ? 0 : -1}
            onPress={() => choosePreset(preset)}
          >
            <Keycap className="phone:hidden">{`${index + 1}`}</Keycap>
            {t(preset)}
          </Button>
        ))}
      </div>
      <DaysCalendar days={days} today={today} onChoose={(start, end) => choose(start, end)} />
    </div>
  )
}

/** Moves the focus to the button before or after. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = event.target instanceof HTMLButtonElement ? buttons.indexOf(event.target) : -1
  if (step === undefined || index < 0) return
  event.preventDefault()
  buttons[(index + step + buttons.length) % buttons.length]?.focus()
}

/** Whether digits belong to the field that has the focus. */
function isTypedIn(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, [role=spinbutton]') !== null
}
