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
  /** At once on this page, and kept for the person's next one, here or on another browser. */
  change: (change: PreferencesChange) => void
  /** Set where the server did not take the last changes: they hold until this page is left. */
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
      // One after the other: the last word on a field is the one that stays.
      scope: { id: 'preferences' },
      onSuccess: (_kept, { language }) => {
        setUnkept(undefined)
        // The words come with the page, in one language.
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

  // Every keycap reads it: it changes when they do.
  const state = useMemo(
    () => ({ preferences, change, keepAgain: unkept && (() => change({})) }),
    [preferences, change, unkept],
  )
  return <PreferencesContext value={state}>{children}</PreferencesContext>
}

/** In cookies for the next page, and on the document for this one. */
function show(preferences: Preferences): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing from browsers we support
  for (const cookie of toCookies(preferences)) document.cookie = cookie
  const { theme, density } = preferences
  document.documentElement.dataset.density = density
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const browserZone = () => currentName(Intl.DateTimeFormat().resolvedOptions().timeZone)
