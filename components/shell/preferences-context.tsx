'use client'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { currentName } from '#components/i18n/zones.ts'
import { type Preferences, toCookies } from './preferences.ts'

interface PreferencesState {
  preferences: Preferences
  change: (changed: Partial<Preferences>) => void
}

const PreferencesContext = createContext<PreferencesState | undefined>(undefined)

export function usePreferences(): PreferencesState {
  const state = useContext(PreferencesContext)
  if (!state) throw new Error('No preferences above this component.')
  return state
}

export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial)

  function change(changed: Partial<Preferences>): void {
    keep(changed)
    setPreferences((before) => ({ ...before, ...changed }))
  }

  useEffect(() => {
    if (initial.zone) return
    const zone = currentName(Intl.DateTimeFormat().resolvedOptions().timeZone)
    keep({ zone })
    setPreferences((before) => ({ ...before, zone }))
  }, [initial.zone])

  return <PreferencesContext value={{ preferences, change }}>{children}</PreferencesContext>
}

/** In cookies for the next page, and on the document for this one. */
function keep(changed: Partial<Preferences>): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing from browsers we support
  for (const cookie of toCookies(changed)) document.cookie = cookie
  const { theme, density } = changed
  if (density) document.documentElement.dataset.density = density
  if (theme === 'system') delete document.documentElement.dataset.theme
  else if (theme) document.documentElement.dataset.theme = theme
}
