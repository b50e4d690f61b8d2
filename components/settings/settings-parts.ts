import type { SettingsPart } from '#server/modules/accounts/access/schema.ts'

/** The pages of the settings, in the order of their navigation. */
export const SETTINGS_PARTS: readonly { part: SettingsPart; href: string }[] = [
  { part: 'flags', href: '/settings/flags' },
  { part: 'policies', href: '/settings/policies' },
  { part: 'reasons', href: '/settings/reasons' },
  { part: 'rules', href: '/settings/rules' },
  { part: 'targets', href: '/settings/targets' },
  { part: 'roles', href: '/settings/roles' },
  { part: 'staff', href: '/settings/staff' },
  { part: 'credentials', href: '/settings/credentials' },
  { part: 'webhooks', href: '/settings/webhooks' },
  { part: 'classifiers', href: '/settings/classifiers' },
  { part: 'mail', href: '/settings/mail' },
  { part: 'translation', href: '/settings/translation' },
  { part: 'security', href: '/settings/security' },
  { part: 'notifications', href: '/settings/notifications' },
  { part: 'preferences', href: '/settings/preferences' },
]

/** The settings page of a path. */
export function settingsPartOf(path: string): SettingsPart | undefined {
  return SETTINGS_PARTS.find(({ href }) => path === href || path.startsWith(`${href}/`))?.part
}
