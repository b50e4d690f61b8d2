'use client'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ReactNode } from 'react'
import type { CompiledCatalogue } from '#components/i18n/compiled.ts'
import { DeskIntl } from '#components/i18n/desk-intl.tsx'
import { TRPCReactProvider } from '#components/trpc/trpc-react-provider.tsx'
import { Announcer } from '#components/ui/announcer.tsx'
import type { Preferences } from './preferences.ts'
import { PreferencesProvider } from './preferences-context.tsx'
import { useZone } from './use-zone.ts'

interface ProvidersProps {
  preferences: Preferences
  messages: CompiledCatalogue
  /** When the server rendered it. */
  now: string
  children: ReactNode
}

/** What every page stands on. */
export function Providers({ preferences, children, ...intl }: ProvidersProps) {
  return (
    <NuqsAdapter>
      <TRPCReactProvider>
        <PreferencesProvider initial={preferences}>
          <IntlInZone {...intl}>
            <Announcer>{children}</Announcer>
          </IntlInZone>
        </PreferencesProvider>
      </TRPCReactProvider>
    </NuqsAdapter>
  )
}

function IntlInZone(intl: Omit<ProvidersProps, 'preferences'>) {
  const { zone } = useZone()
  return <DeskIntl timeZone={zone} {...intl} />
}
