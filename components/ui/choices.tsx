'use client'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Keycap } from './keycap.tsx'

export interface ChoiceLine<Id extends string> {
  id: Id
  label: ReactNode
  hint?: ReactNode
  /** Its shortcut, if it has one. */
  cap?: string
}

interface ChoicesProps<Id extends string> {
  legend: string
  choices: ChoiceLine<Id>[]
  chosen: Id | undefined
  onChoose: (id: Id) => void
  columns?: 1 | 2 | 3
  autoFocus?: boolean
}

const COLUMNS = { 1: '', 2: 'grid-cols-2 phone:grid-cols-1', 3: 'grid-cols-3 phone:grid-cols-2' }

/** A group of a few visible options: selected with arrow keys, by pressing one, or with its own key if the form handles it. */
export function Choices<Id extends string>({
  legend,
  choices,
  chosen,
  onChoose,
  columns = 1,
  autoFocus = false,
}: ChoicesProps<Id>) {
  const name = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const focusedAtFirst = chosen ?? choices[0]?.id

  // A key of the form may choose another: the focus goes with it, so that the ring is never beside the chosen one.
  useEffect(() => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLInputElement) || focused.name !== name || focused.value === chosen) return
    group.current?.querySelector<HTMLInputElement>('input:checked')?.focus()
  }, [chosen, name])

  return (
    <fieldset ref={group}>
      <legend className="mb-1.5 font-firm text-ink">{legend}</legend>
      <div className={`grid gap-1 ${COLUMNS[columns]}`}>
        {choices.map(({ id, label, hint, cap }) => (
          <label
            key={id}
            className="flex min-h-control min-w-0 items-center gap-2 rounded-2 border border-line-strong px-2 py-1 hover:bg-hover has-checked:border-accent has-checked:bg-selected has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={id}
              checked={chosen === id}
              // biome-ignore lint/a11y/noAutofocus: the first field of a dialog the person opened
              autoFocus={autoFocus && id === focusedAtFirst}
              onChange={() => onChoose(id)}
              aria-keyshortcuts={cap}
              className="size-3.5 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1 wrap-anywhere text-ink">
              {label}
              {hint && <span className="block text-small text-ink-3">{hint}</span>}
            </span>
            {cap && <Keycap className="phone:hidden">{cap}</Keycap>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
