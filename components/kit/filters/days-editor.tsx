'use client'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { SmallField } from '#components/ui/small-field.tsx'
import { PRESETS, presetDays } from './presets.ts'
import { type Days, dayOf } from './written-between.ts'

const DaysCalendar = lazyPart(() => import('./days-calendar.tsx').then(({ DaysCalendar }) => DaysCalendar), {
  loading: <div aria-busy className="h-72 w-64" />,
})

/** Includes the zone, so that a link means the same days for everyone who opens it. */
export type ChosenDays = Days & { timeZone: string }

interface DaysEditorProps {
  days: Days
  zone: string
  onChoose: (days: ChosenDays) => void
}

/** First and last day: by preset, typed, or from a calendar. Either end may be open. */
export function DaysEditor({ days, zone, onChoose }: DaysEditorProps) {
  const t = useTranslations('filters.written')
  const now = useNow()
  const today = dayOf(now, zone)

  function choose(one: string, other: string): void {
    const [startDate, endDate] = one && other && one > other ? [other, one] : [one, other]
    onChoose({ startDate: startDate || null, endDate: endDate || null, timeZone: zone })
  }
  return (
    <div className="flex gap-3 p-3 phone:flex-col">
      <div className="grid content-start gap-1 phone:grid-cols-2">
        {PRESETS.map((preset, index) => (
          <Button
            key={preset}
            look="bare"
            className="justify-start!"
            autoFocus={index === 0}
            onPress={() => {
              const { startDate, endDate } = presetDays(preset, today)
              choose(startDate, endDate)
            }}
          >
            {t(preset)}
          </Button>
        ))}
      </div>
      <div>
        <form
          className="mb-3 flex items-end gap-2"
          action={(form) => choose(String(form.get('from')), String(form.get('until')))}
        >
          <SmallField type="date" name="from" label={t('from')} defaultValue={days.startDate ?? ''} />
          <SmallField type="date" name="until" label={t('until')} defaultValue={days.endDate ?? ''} />
          <Button type="submit">{t('show')}</Button>
        </form>
        <DaysCalendar days={days} today={today} onChoose={choose} />
      </div>
    </div>
  )
}
