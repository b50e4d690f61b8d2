import { isLanguage, type Language } from '#components/i18n/locale.ts'
import { isZone } from '#components/i18n/zones.ts'
import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'
import { COOKIE_OF, DENSITIES, type Preferences, THEMES } from './preferences.ts'

const DEFAULTS: Preferences = {
  isZoneChosen: false,
  theme: 'system',
  density: 'comfortable',
  language: 'en',
  keys: {},
  areSingleKeysOff: false,
  areFirstStepsDone: false,
  isMediaCovered: true,
  isMediaGrey: true,
  isMediaBlurred: true,
  coveredText: 'none',
}

/** Saved preferences win over this browser's cookies, and those over its language; invalid values in cookies or rows are ignored. */
export function preferencesOf(
  chosen: ChosenPreferences,
  cookie: (name: string) => string | undefined,
  asked: Language = DEFAULTS.language,
): Preferences {
  const isZoneChosen = chosen.zone !== undefined && isZone(chosen.zone)
  const zone = isZoneChosen ? chosen.zone : cookie(COOKIE_OF.zone)
  const theme = THEMES.find((theme) => theme === cookie(COOKIE_OF.theme)) ?? DEFAULTS.theme
  const density = DENSITIES.find((density) => density === cookie(COOKIE_OF.density)) ?? DEFAULTS.density
  const spoken = cookie(COOKIE_OF.language)
  const language = isLanguage(spoken) ? spoken : asked
  const { zone: _, ...rest } = chosen
  const look = { theme, density, language, ...(zone !== undefined && isZone(zone) && { zone }) }
  return { ...DEFAULTS, ...look, ...rest, isZoneChosen }
}
