'use client'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { drawnEnd } from './drawn-end.ts'
import { Highlight } from './highlight.tsx'
import type { FoundRange } from './split-found.ts'
import { useLinks } from './use-links.ts'

interface PlainTextProps {
  children: string
  words?: string | null
  found?: FoundRange[] | undefined
}

/**
 * Member content as text: no markup is interpreted, and a link opens only on click. `words`, and what was `found`, are highlighted. Of a text
 * that would hold the page up, the rest is drawn when the person asks for it.
 */
export function PlainText({ children, words = null, found }: PlainTextProps) {
  const t = useTranslations('ui')
  const [isWhole, setWhole] = useState(false)
  const end = isWhole ? children.length : drawnEnd(children)
  const parts = useLinks(children).filter(({ at }) => at < end)
  return (
    <>
      {parts.map(({ text, href, at }) => (
        <Linked key={at} href={href}>
          <Highlight words={words} found={found?.map(({ from, to }) => ({ from: from - at, to: to - at }))}>
            {text.slice(0, end - at)}
          </Highlight>
        </Linked>
      ))}
      {end < children.length && '…'}
      {end < children.length && (
        <Button look="bare" size="small" className="font-desk" onPress={() => setWhole(true)}>
          {t('showWhole')}
        </Button>
      )}
    </>
  )
}

function Linked({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" dir="ltr" className="wrap-anywhere">
      {children}
    </a>
  )
}
