'use client'
import { type ReactNode, useState } from 'react'

/** The chart's data as a table, for people who prefer figures. It is rendered once it is open, as it is most of the page. */
export function InFigures({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      // It may have been opened before the page's script was there.
      ref={(details) => {
        if (details?.open) setOpen(true)
      }}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mt-2"
    >
      <summary className="inline-flex min-h-6 cursor-pointer items-center text-small text-ink-2 underline decoration-line-control underline-offset-3">
        {title}
      </summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={title}
        className="mt-1 max-h-80 overflow-auto"
      >
        {isOpen && children}
      </section>
    </details>
  )
}
