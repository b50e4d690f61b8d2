'use client'
import { useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import type { AuditEntry } from '#server/modules/ledger/audit/schema.ts'

/** The name of who did it; an id where that is what is left. */
export function useActorName() {
  const t = useTranslations('audit.actors')
  return ({ kind, id, name, userId }: AuditEntry['actor']) => {
    if (userId !== undefined || kind === 'user') return name ?? id ?? t('nobody')
    if (kind === 'system') return t('system')
    return t(kind, { name: name ?? id ?? '' })
  }
}

/** Who did it, leading to their page where they have one. */
export function Actor({ actor }: { actor: AuditEntry['actor'] }) {
  const t = useTranslations('audit')
  const displayName = useActorName()(actor)
  return (
    <span className="wrap-anywhere">
      {actor.userId === undefined ? (
        <bdi>{displayName}</bdi>
      ) : (
        <PersonLink person={{ userId: actor.userId, displayName }} />
      )}
      {actor.isDeleted && <span className="text-ink-3"> {t('gone')}</span>}
    </span>
  )
}
