'use client'
import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'
import { useId, useState } from 'react'
import { useZone } from '#components/kit/zones/use-zone.ts'

interface MomentFieldProps {
  label: string
  /** An ISO timestamp. */
  at: string | null
  onChange: (at: string | null) => void
}

/** A date and time to the minute, in the zone in force. */
export function MomentField({ label, at, onChange }: MomentFieldProps) {
  const { zone } = useZone()
  const id = useId()
  // As typed: an incomplete time counts as none.
  const [typed, setTyped] = useState(at === null ? '' : toLocal(at, zone))
  return (
    <span className="grid min-w-0 gap-0.5">
      <label htmlFor={id} className="text-small text-ink-3">
        {label}
      </label>
      <input
        id={id}
        type="datetime-local"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(target.value === '' ? null : toInstant(target.value, zone))
        }}
        className="h-control min-w-0 rounded-2 border border-line-control bg-raised px-1.5 text-ink"
      />
    </span>
  )
}

function toLocal(at: string, zone: string): string {
  return toCalendarDateTime(parseAbsolute(at, zone)).toString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
}

function toInstant(local: string, zone: string): string {
  return toZoned(parseDateTime(local), zone).toDate().toISOString()
}
