'use client'
import { useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import type { AuditEntry } from '#server/modules/ledger/audit/schema.ts'

/** The name of the actor, or an id if that is all that is left. */
export function useActorName() {
  const t = useTranslations('audit.actors')
  return ({ kind, id, name, userId }: AuditEntry['actor']) => {
    if (userId !== undefined || kind === 'user') return name ?? id ?? t('nobody')
    if (kind === 'system') return t('system')
    return t(kind, { name: name ?? id ?? '' })
  }
}

/** The actor, linked to their page if they have one. */
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
