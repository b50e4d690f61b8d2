'use client'
import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'
import { useState } from 'react'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { SmallField } from '#components/ui/small-field.tsx'

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
