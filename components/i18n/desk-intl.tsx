'use client'
import { type ReactNode, useMemo } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { IntlProvider } from 'use-intl'
import { LOCALE } from './locale.ts'
import { en } from './messages/en.ts'
import { NowProvider } from './now.tsx'

/** Words, numbers and times for all below it. `now` is the server's, so that its markup and the first one here agree. */
export function DeskIntl({ timeZone, now, children }: { timeZone: string; now: string; children: ReactNode }) {
  const renderedAt = useMemo(() => new Date(now), [now])
  return (
    <IntlProvider locale={LOCALE} messages={en} timeZone={timeZone} now={renderedAt}>
      <I18nProvider locale={LOCALE}>
        <NowProvider>{children}</NowProvider>
      </I18nProvider>
    </IntlProvider>
  )
}
