'use client'
import { type ReactNode, useMemo } from 'react'
import { IntlProvider, type Messages, useLocale, useMessages } from 'use-intl'

/** More words for what is below, brought along by a part of the desk that is loaded on demand. */
export function WithWords({ words, children }: { words: Partial<Messages>; children: ReactNode }) {
  const known = useMessages()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a part brings along stays the same
  const messages = useMemo(() => ({ ...known, ...words }), [known])
  return (
    <IntlProvider locale={useLocale()} messages={messages}>
      {children}
    </IntlProvider>
  )
}
