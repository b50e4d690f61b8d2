import { Fragment } from 'react'
import { Highlight } from './highlight.tsx'
import { splitLinks } from './split-links.ts'

/** Member content as text: no markup is interpreted, and a link opens only on click. `words` are highlighted. */
export function PlainText({ children, words = null }: { children: string; words?: string | null }) {
  return splitLinks(children).map(({ text, href, at }) =>
    href ? (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow" dir="ltr" className="wrap-anywhere">
        <Highlight words={words}>{text}</Highlight>
      </a>
    ) : (
      <Fragment key={at}>
        <Highlight words={words}>{text}</Highlight>
      </Fragment>
    ),
  )
}
