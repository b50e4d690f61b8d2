'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { currentName } from '#components/i18n/zones.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useStableCallback } from '#components/ui/use-stable-callback.ts'
import type { PreferencesChange } from '#server/modules/accounts/preferences/schema.ts'
import { changed, type Preferences, toCookies } from './preferences.ts'

interface PreferencesState {
  preferences: Preferences
  /** Applies immediately on this page, and is saved for the person's next page, here or in another browser. */
  change: (change: PreferencesChange) => void
  /** Set if the server didn't accept the last changes: they apply until this page is closed. */
  keepAgain?: (() => void) | undefined
}

const PreferencesContext = createContext<PreferencesState | undefined>(undefined)

export function usePreferences(): PreferencesState {
  const state = useContext(PreferencesContext)
  if (!state) throw new Error('No preferences above this component.')
  return state
}

export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial)
  const [unkept, setUnkept] = useState<PreferencesChange>()
  const router = useRouter()
  const keeping = useMutation(
    useTRPC().preferences.change.mutationOptions({
      // In sequence: the latest value of a field wins.
      scope: { id: 'preferences' },
      onSuccess: (_kept, { language }) => {
        setUnkept(undefined)
        // The page's messages contain one language only.
        if (language) router.refresh()
      },
      onError: (_error, change) => setUnkept(change),
    }),
  )

  const change = useStableCallback((change: PreferencesChange): void => {
    const after = changed(preferences, change, browserZone())
    setPreferences(after)
    show(after)
    keeping.mutate({ ...unkept, ...change })
  })

  useEffect(() => {
    const zone = initial.isZoneChosen ? initial.zone : browserZone()
    show({ ...initial, ...(zone && { zone }) })
    if (zone && zone !== initial.zone) setPreferences((before) => ({ ...before, zone }))
  }, [initial])

  // Memoised: every keycap reads it.
  const state = useMemo(
    () => ({ preferences, change, keepAgain: unkept && (() => change({})) }),
    [preferences, change, unkept],
  )
  return <PreferencesContext value={state}>{children}</PreferencesContext>
}

/** Applies preferences: in cookies for the next page, and on the document for this one. */
function show(preferences: Preferences): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing from browsers we support
  for (const cookie of toCookies(preferences)) document.cookie = cookie
  const { theme, density } = preferences
  document.documentElement.dataset.density = density
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const browserZone = () => currentName(Intl.DateTimeFormat().resolvedOptions().timeZone)
