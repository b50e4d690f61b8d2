'use client'
import { type ReactNode, useMemo } from 'react'
import { DeskIntl } from '#components/i18n/desk-intl.tsx'
import type { LanguageFacts } from '#components/i18n/locale.ts'
import { ZONE_SEARCH } from '#components/kit/zones/parse-as-zone.ts'
import { ZoneContext } from '#components/kit/zones/use-zone.ts'
import type { Preferences } from '#components/preferences/preferences.ts'
import { PreferencesProvider, usePreferences } from '#components/preferences/preferences-context.tsx'
import { TRPCReactProvider } from '#components/trpc/trpc-react-provider.tsx'
import { Announcer } from '#components/ui/announcer.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { useRestoreFocus } from '#components/ui/use-restore-focus.ts'

interface ProvidersProps {
  preferences: Preferences
  locale: LanguageFacts['locale']
  messagesPath: string
  /** When the server rendered the page. */
  now: string
  children: ReactNode
}

/** The context providers of every page. */
export function Providers({ preferences, children, ...intl }: ProvidersProps) {
  useRestoreFocus()
  return (
    <TRPCReactProvider>
      <PreferencesProvider initial={preferences}>
        <InZone {...intl}>
          <Announcer>{children}</Announcer>
        </InZone>
      </PreferencesProvider>
    </TRPCReactProvider>
  )
}

function InZone(intl: Omit<ProvidersProps, 'preferences'>) {
  const { preferences } = usePreferences()
  const [{ timeZone: linked }] = useQueryStates(ZONE_SEARCH)
  const ownZone = preferences.zone ?? 'UTC'
  const zone = linked ?? ownZone
  const inForce = useMemo(() => ({ zone, ownZone }), [zone, ownZone])
  return (
    <ZoneContext value={inForce}>
      <DeskIntl timeZone={zone} {...intl} />
    </ZoneContext>
  )
}
