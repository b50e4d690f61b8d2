'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { ListedAuditEntry } from '#server/modules/desk/audit/schema.ts'
import { useActionLabel } from './use-action-label.ts'

/** What a name can't say, in words: the changed settings, "Allow-listed links only: on"; or how much was imported, "Comment: 12". */
export function useDetail(): (entry: Pick<ListedAuditEntry, 'turned' | 'added'>) => string | undefined {
  const t = useTranslations('audit')
  const flags = useTranslations('flags')
  const words = useActionLabel()
  const format = useFormatter()
  // Safe: `has` checks whether the key exists.
  const nameOf = (setting: string) => (flags.has(setting as 'title') ? flags(setting as 'title') : setting)
  return ({ turned, added }) => {
    const parts = [
      ...Object.entries(turned ?? {}).map(([setting, isOn]) =>
        t('setting', { name: nameOf(setting), isOn: String(isOn) }),
      ),
      ...Object.entries(added ?? {}).map(([type, count]) => t('imported', { thing: words.thing(type), count })),
    ]
    return parts.length === 0 ? undefined : format.list(parts, { type: 'unit' })
  }
}
