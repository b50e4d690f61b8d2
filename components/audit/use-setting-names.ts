'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { ListedAuditEntry } from '#server/modules/desk/audit/schema.ts'

/** Changed moderation settings in words: "Allow-listed links only: on". */
export function useSettingNames(): (turned: NonNullable<ListedAuditEntry['turned']>) => string {
  const t = useTranslations('audit')
  const flags = useTranslations('flags')
  const format = useFormatter()
  // Safe: `has` checks whether the key exists.
  const nameOf = (setting: string) => (flags.has(setting as 'title') ? flags(setting as 'title') : setting)
  return (turned) =>
    format.list(
      Object.entries(turned).map(([setting, isOn]) => t('setting', { name: nameOf(setting), isOn: String(isOn) })),
      { type: 'unit' },
    )
}
