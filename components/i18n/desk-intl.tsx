'use client'
import { type ReactNode, useMemo } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { IntlProvider, type Messages } from 'use-intl'
import type { CompiledCatalogue } from './compiled.ts'
import type { LanguageFacts } from './locale.ts'
import { NowProvider } from './now.tsx'

interface DeskIntlProps {
  locale: LanguageFacts['locale']
  /** The messages of the page's language only. */
  messages: CompiledCatalogue
  timeZone: string
  /** The server's time, so that its markup and the first client render agree. */
  now: string
  children: ReactNode
}

/** Provides messages and the formatting of numbers and times. */
export function DeskIntl({ locale, messages, timeZone, now, children }: DeskIntlProps) {
  const renderedAt = useMemo(() => new Date(now), [now])
  return (
    <IntlProvider locale={locale} messages={messages as unknown as Messages} timeZone={timeZone} now={renderedAt}>
      <I18nProvider locale={locale}>
        <NowProvider>{children}</NowProvider>
      </I18nProvider>
    </IntlProvider>
  )
}
