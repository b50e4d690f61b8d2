import { Fragment } from 'react'
import { splitMatches } from './split-matches.ts'

/** A text with the search words highlighted. */
export function Highlight({ children, words }: { children: string; words: string | null }) {
  if (!words) return children
  return splitMatches(children, words).map(({ text, isMatch, at }) =>
    isMatch ? (
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
