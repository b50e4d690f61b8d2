'use client'
import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { Button } from '#components/ui/button.tsx'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { SearchList } from '#components/ui/search-list.tsx'
import { SmallField } from '#components/ui/small-field.tsx'

interface EventPopoverProps {
  trigger: PopoverTrigger
  names: readonly string[]
  chosen: string | null
  onChoose: (event: string | null) => void
}

const ANY = 'any'

/** Selects one event, or all of them. */
export function EventPopover({ trigger, names, chosen, onChoose }: EventPopoverProps) {
  const t = useTranslations('webhooks')
  return (
    <Popover trigger={trigger} label={t('event')} className="w-80">
      <SearchList
        label={t('event')}
        find={t('findEvent')}
        empty={t('noSuchEvent')}
        choices={[{ id: ANY, label: t('anyEvent') }, ...names.map((name) => ({ id: name, label: name }))]}
        chosen={chosen ?? ANY}
        onChoose={(id) => {
          trigger.onClose()
          onChoose(id === ANY ? null : id)
        }}
      />
    </Popover>
  )
}

interface TimeRange {
  from: string | null
  before: string | null
}

interface TimePopoverProps {
  trigger: PopoverTrigger
  range: TimeRange
  onChoose: (range: TimeRange) => void
}

const HOURS = [1, 24, 7 * 24] as const
const HOUR_MS = 3_600_000

/** A time range, the end excluded: by preset, or to the minute. Either end may be open. */
export function TimePopover({ trigger, range, onChoose }: TimePopoverProps) {
  const t = useTranslations('webhooks')
  const { zone } = useZone()
  const [{ from, before }, setRange] = useState<TimeRange>({ from: range.from, before: range.before })

  function choose(chosen: TimeRange): void {
    trigger.onClose()
    onChoose(chosen)
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    choose({ from, before })
  }

  return (
    <Popover trigger={trigger} label={t('when')} className="w-72 p-3">
      <div className="grid gap-1">
        {HOURS.map((hours, index) => (
          <Button
            key={hours}
            look="bare"
            className="justify-start!"
            autoFocus={index === 0}
            onPress={() => choose({ from: new Date(Date.now() - hours * HOUR_MS).toISOString(), before: null })}
          >
            {t('lastHours', { hours })}
          </Button>
        ))}
        <Button look="bare" className="justify-start!" onPress={() => choose({ from: null, before: null })}>
          {t('anyTime')}
        </Button>
      </div>
      <form className="mt-2 grid gap-2 border-t border-line pt-3" onSubmit={submit}>
        <MomentField label={t('from')} at={from} onChange={(from) => setRange({ from, before })} />
        <MomentField label={t('before')} at={before} onChange={(before) => setRange({ from, before })} />
        <p className="text-small text-ink-3">{t('inZone', { zone })}</p>
        <Button type="submit">{t('show')}</Button>
      </form>
    </Popover>
  )
}

interface MomentFieldProps {
  label: string
  /** An ISO timestamp. */
  at: string | null
  onChange: (at: string | null) => void
}

/** A date and time to the minute, in the zone in force. */
export function MomentField({ label, at, onChange }: MomentFieldProps) {
  const { zone } = useZone()
  // As typed: an incomplete time counts as none.
  const [typed, setTyped] = useState(at === null ? '' : toLocal(at, zone))
  return (
    <SmallField
      label={label}
      type="datetime-local"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(target.value === '' ? null : toInstant(target.value, zone))
      }}
    />
  )
}

function toLocal(at: string, zone: string): string {
  return toCalendarDateTime(parseAbsolute(at, zone)).toString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
}

function toInstant(local: string, zone: string): string {
  return toZoned(parseDateTime(local), zone).toDate().toISOString()
}
