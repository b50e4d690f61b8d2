'use client'
import { type ReactNode, useMemo } from 'react'
import { IntlProvider, type Messages } from 'use-intl'
import type { LanguageFacts } from './locale.ts'
import { useMessagesOf } from './messages-of.ts'
import { NowProvider } from './now.tsx'

interface DeskIntlProps {
  locale: LanguageFacts['locale']
  /** The path of the file with the messages of the page's language. */
  messagesPath: string
  timeZone: string
  /** The server's time, so that its markup and the first client render agree. */
  now: string
  children: ReactNode
}

/** Provides messages and the formatting of numbers and times. */
export function DeskIntl({ locale, messagesPath, timeZone, now, children }: DeskIntlProps) {
  const messages = useMessagesOf(messagesPath)
  const renderedAt = useMemo(() => new Date(now), [now])
  return (
    <IntlProvider locale={locale} messages={messages as unknown as Messages} timeZone={timeZone} now={renderedAt}>
      <NowProvider>{children}</NowProvider>
    </IntlProvider>
  )
}
