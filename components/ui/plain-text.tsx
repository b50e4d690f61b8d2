import type { ReactNode } from 'react'
import { Highlight } from './highlight.tsx'
import type { FoundRange } from './split-found.ts'
import { splitLinks } from './split-links.ts'

interface PlainTextProps {
  children: string
  words?: string | null
  found?: FoundRange[] | undefined
}

/** Member content as text: no markup is interpreted, and a link opens only on click. `words`, and what was `found`, are highlighted. */
export function PlainText({ children, words = null, found }: PlainTextProps) {
  return splitLinks(children).map(({ text, href, at }) => (
    <Linked key={at} href={href}>
      <Highlight words={words} found={found?.map(({ from, to }) => ({ from: from - at, to: to - at }))}>
        {text}
      </Highlight>
    </Linked>
  ))
}

function Linked({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" dir="ltr" className="wrap-anywhere">
      {children}
    </a>
  )
}
