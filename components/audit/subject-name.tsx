'use client'
import { useTranslations } from 'use-intl'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import type { ListedAuditEntry } from '#server/modules/desk/audit/schema.ts'
import { useActionLabel } from './use-action-label.ts'
import { useDetail } from './use-detail.ts'

/** What is named by its kind alone: its id says nothing to anybody. */
const NAMELESS = ['audit', 'bulk', 'import', 'insights', 'network', 'notifications', 'queue', 'token']

/** A name; the author and the beginning of a text; the settings that were changed; how much was imported; or the id, where there is nothing else. */
export function SubjectName({ entry }: { entry: ListedAuditEntry }) {
  const t = useTranslations('audit')
  const words = useActionLabel()
  const detail = useDetail()(entry)
  if (detail !== undefined) return detail
  const { type, id, name, author, excerpt, isDeleted } = entry.subject
  if (name === undefined && NAMELESS.includes(type)) return words.thing(type)
  if (excerpt !== undefined) {
    return (
      <span className="line-clamp-2 wrap-anywhere">
        {author && <bdi className="me-1 text-ink-2">{t('authorOf', { author })}</bdi>}
        <bdi className="font-member">
          <CoveredLine isFlagged={false}>{excerpt}</CoveredLine>
        </bdi>
      </span>
    )
  }
  return (
    <span className="wrap-anywhere">
      {name === undefined ? <code className="font-code text-small text-ink-3">{id}</code> : <bdi>{name}</bdi>}
      {isDeleted && <span className="text-ink-3"> {t('gone')}</span>}
    </span>
  )
}
