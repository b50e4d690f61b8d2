'use client'
import { type ReactNode, useId, useState } from 'react'

/** A word with an explanation that is shown while it has the pointer or the focus, and hidden by Escape. */
export function Hint({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the explanation belongs to the button in it
    <span className="relative inline-flex" onMouseEnter={() => setShown(true)} onMouseLeave={() => setShown(false)}>
      <button
        type="button"
        aria-describedby={id}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onKeyDown={({ key }) => key === 'Escape' && setShown(false)}
        className="min-h-6 min-w-6 cursor-help rounded-1 text-small text-ink-3 underline decoration-dotted underline-offset-2"
      >
        {label}
      </button>
      <span
        role="tooltip"
        id={id}
        className={`absolute start-0 top-full z-5 w-max max-w-72 rounded-2 bg-raised px-2.5 py-1.5 text-small text-ink shadow-pop forced-colors:border ${isShown ? '' : 'hidden'}`}
      >
        {children}
      </span>
    </span>
  )
}
