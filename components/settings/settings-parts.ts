import type { SettingsPart } from '#server/modules/access/schema.ts'

/** The parts of the settings, in the order of their navigation. */
export const SETTINGS_PARTS: readonly { part: SettingsPart; href: string }[] = [
  { part: 'targets', href: '/settings/targets' },
  { part: 'preferences', href: '/settings/preferences' },
]

/** The part that a page is in. */
export function settingsPartOf(path: string): SettingsPart | undefined {
  return SETTINGS_PARTS.find(({ href }) => path === href || path.startsWith(`${href}/`))?.part
}
