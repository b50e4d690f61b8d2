import { Fragment } from 'react'
import { matchesOf } from './matches-of.ts'
import { type FoundRange, splitFound } from './split-found.ts'

interface HighlightProps {
  children: string
  words: string | null
  found?: FoundRange[] | undefined
}

/** A text with the search words highlighted, and what was found at these places. */
export function Highlight({ children, words, found = [] }: HighlightProps) {
  const ranges = words ? [...found, ...matchesOf(children, words)] : found
  if (ranges.length === 0) return children
  return splitFound(children, ranges).map(({ text, isFound, at }) =>
    isFound ? (
      <mark
        key={at}
        className="-mx-px rounded-[1px] bg-mark px-px text-ink shadow-[inset_0_-2px_var(--mark-line)] forced-colors:underline"
      >
        {text}
      </mark>
    ) : (
      <Fragment key={at}>{text}</Fragment>
    ),
  )
}
