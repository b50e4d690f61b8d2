import { Fragment } from 'react'
import { splitLinks } from './split-links.ts'

/** What a member wrote, as text: nothing in it is obeyed, and a link leads on only when followed. */
export function PlainText({ children }: { children: string }) {
  return splitLinks(children).map(({ text, href, at }) =>
    href ? (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow" dir="ltr" className="wrap-anywhere">
        {text}
      </a>
    ) : (
      <Fragment key={at}>{text}</Fragment>
    ),
  )
}
