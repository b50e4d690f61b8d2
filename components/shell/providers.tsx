'use client'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ReactNode } from 'react'
import { DeskIntl } from '#components/i18n/desk-intl.tsx'
import { TRPCReactProvider } from '#components/trpc/trpc-react-provider.tsx'
import { Announcer } from '#components/ui/announcer.tsx'
import type { Preferences } from './preferences.ts'
import { PreferencesProvider } from './preferences-context.tsx'
import { useZone } from './use-zone.ts'

/** What every page stands on. `now` is when the server rendered it. */
export function Providers({
  preferences,
  now,
  children,
}: {
  preferences: Preferences
  now: string
  children: ReactNode
}) {
  return (
    <NuqsAdapter>
      <TRPCReactProvider>
        <PreferencesProvider initial={preferences}>
          <IntlInZone now={now}>
            <Announcer>{children}</Announcer>
          </IntlInZone>
        </PreferencesProvider>
      </TRPCReactProvider>
    </NuqsAdapter>
  )
}

function IntlInZone({ now, children }: { now: string; children: ReactNode }) {
  const { zone } = useZone()
  return (
    <DeskIntl timeZone={zone} now={now}>
      {children}
    </DeskIntl>
  )
}
