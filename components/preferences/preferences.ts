import type { ChosenPreferences, PreferencesChange } from '#server/modules/accounts/preferences/schema.ts'

type Field = keyof ChosenPreferences
type MayBeAbsent = 'zone' | 'pauseAfterDecisions' | 'pauseAfterMinutes'

/** A person's preferences: saved values, else the defaults. */
export type Preferences = { [F in Exclude<Field, MayBeAbsent>]-?: NonNullable<ChosenPreferences[F]> } & {
  /** Absent until the browser has reported its zone. */
  [F in MayBeAbsent]?: NonNullable<ChosenPreferences[F]>
} & {
  /** Whether the person chose the zone, or it is the browser's. */
  isZoneChosen: boolean
}

export const THEMES = ['light', 'dark', 'system'] as const satisfies Preferences['theme'][]
export const DENSITIES = ['comfortable', 'compact'] as const satisfies Preferences['density'][]
export const COVERED_TEXTS = ['none', 'flagged', 'all'] as const satisfies Preferences['coveredText'][]

/** The look of sign-in and the first paint: kept in cookies, as last used in this browser. */
type Look = Pick<ChosenPreferences, 'zone' | 'theme' | 'density' | 'language'>

export const COOKIE_OF = {
  zone: 'docket_zone',
  theme: 'docket_theme',
  density: 'docket_density',
  language: 'docket_language',
} as const
const A_YEAR_S = 31_536_000

/** The preferences after a change; `ownZone` is the browser's zone, used if none is chosen. */
export function changed(before: Preferences, change: PreferencesChange, ownZone: string): Preferences {
  const { zone = before.zone ?? null, ...rest } = change
  const after = { ...before, ...rest, zone: zone ?? ownZone }
  const isZoneChosen = change.zone === undefined ? before.isZoneChosen : change.zone !== null
  const present = Object.entries(after).filter(([, value]) => value !== null && value !== undefined)
  // Safe: only fields set to null are missing, and those may be absent.
  return { ...(Object.fromEntries(present) as Preferences), isZoneChosen }
}

/** Lines for `document.cookie`. */
export function toCookies(look: Look): string[] {
  return Object.entries(COOKIE_OF).flatMap(([field, name]) => {
    const value = look[field as keyof Look]
    return value === undefined
      ? []
      : [`${name}=${encodeURIComponent(value)}; path=/; max-age=${A_YEAR_S}; samesite=lax`]
  })
}
