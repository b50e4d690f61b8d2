'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { Person, PersonLists } from '#server/modules/people/schema.ts'

/** Whether nothing is in this list, on any of its pages. */
export function isEmpty(person: Person, list: keyof PersonLists): boolean {
  const { items, next, previous } = person[list]
  return items.length === 0 && next === undefined && previous === undefined
}

/** The parts of the page that have a heading of their own, and their lists. */
const PARTS = {
  content: ['content'],
  decisionsAbout: ['decisionsAbout'],
  decisionsBy: ['decisionsBy'],
  spaces: ['communities', 'channels'],
  sanctions: ['bans', 'mutes'],
  flagsOn: ['flagsOn'],
  flagsBy: ['flagsBy'],
} as const satisfies Record<string, (keyof PersonLists)[]>

/** Names the parts with nothing in them, in one sentence instead of a section each. */
export function EmptyParts({ person }: { person: Person }) {
  const t = useTranslations('users')
  const format = useFormatter()
  const empty = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter((part) =>
    PARTS[part].every((list) => isEmpty(person, list)),
  )
  if (empty.length === 0) return null
  return (
    <p className="text-ink-3">
      {t('nothingUnder', {
        sections: format.list(
          empty.map((part) => t(part)),
          { type: 'disjunction' },
        ),
      })}
    </p>
  )
}
