'use client'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'

interface LimitFieldProps {
  label: string
  max: number
  /** Undefined means never. */
  limit: number | undefined
  onChange: (limit: number | null) => void
}

/** A limit, saved on blur or Enter; empty means never. */
export function LimitField({ label, max, limit, onChange }: LimitFieldProps) {
  const t = useTranslations('settings')
  const id = useId()
  const [written, setWritten] = useState<string>()
  const shown = written ?? String(limit ?? '')

  function take(): void {
    if (written === undefined) return
    const wanted = written === '' ? null : Math.min(Math.max(Math.round(Number(written)), 1), max)
    setWritten(undefined)
    if (wanted !== (limit ?? null)) onChange(wanted)
  }

  return (
    <form
      className="mt-2 flex items-center gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        take()
      }}
    >
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        placeholder={t('never')}
        value={shown}
        onChange={({ target }) => setWritten(target.value)}
        onBlur={take}
        className="h-control w-22 rounded-2 border border-line-control bg-raised px-2 text-ink placeholder:text-ink-3 coarse:h-10"
      />
      <label htmlFor={id}>{label}</label>
    </form>
  )
}
