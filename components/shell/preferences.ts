import { isZone } from '#components/i18n/zones.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]
export type Density = 'comfortable' | 'compact'

/** What a person likes, kept in cookies so that the server draws the first page that way. */
export interface Preferences {
  /** Absent until the browser has said which one it is in. */
  zone?: string
  theme: Theme
  density: Density
}

const COOKIE_OF = { zone: 'docket_zone', theme: 'docket_theme', density: 'docket_density' } as const
const A_YEAR_S = 31_536_000

/** Whatever the cookies hold, what comes out can be used. */
export function readPreferences(cookie: (name: string) => string | undefined): Preferences {
  const zone = cookie(COOKIE_OF.zone)
  const theme = THEMES.find((theme) => theme === cookie(COOKIE_OF.theme)) ?? 'system'
  const density = cookie(COOKIE_OF.density) === 'compact' ? 'compact' : 'comfortable'
  return { theme, density, ...(zone && isZone(zone) && { zone }) }
}

/** Lines for `document.cookie`. */
export function toCookies(changed: Partial<Preferences>): string[] {
  return Object.entries(changed).map(
    ([name, value]) =>
      `${COOKIE_OF[name as keyof Preferences]}=${encodeURIComponent(value)}; path=/; max-age=${A_YEAR_S}; samesite=lax`,
  )
}
