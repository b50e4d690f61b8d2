'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'

export interface CredentialLine {
  id: string
  name: string
  /** What it allows, or its expiry. */
  about: string
  createdAt: string
  madeBy?: { name: string }
  lastUsedAt?: string
  /** Those that it opened and that are in use. */
  sessions?: number
  revokedAt?: string
  hasExpired?: boolean
}

interface CredentialListProps {
  label: string
  empty: string
  rows: CredentialLine[]
  onRevoke: (row: CredentialLine) => void
}

/** Keys or tokens, newest first; those that have ended are included, without a revoke button. */
export function CredentialList({ label, empty, rows, onRevoke }: CredentialListProps) {
  const t = useTranslations('credentials')
  if (rows.length === 0) return <p className="mt-2 text-ink-3">{empty}</p>
  return (
    <ul aria-label={label} className="mt-1">
      {rows.map((row) => {
        const hasEnded = row.revokedAt !== undefined || row.hasExpired === true
        return (
          <li
            key={row.id}
            className="flex min-h-table-row flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5"
          >
            <span className="min-w-0 flex-1 basis-64">
              <span className="flex flex-wrap items-center gap-x-2">
                <bdi className={`font-firm wrap-anywhere ${hasEnded ? 'text-ink-3' : 'text-ink'}`}>{row.name}</bdi>
                {row.revokedAt && <Badge look="reject">{t('isRevoked')}</Badge>}
                {!row.revokedAt && row.hasExpired && <Badge>{t('isExpired')}</Badge>}
                <CopyId id={row.id} />
              </span>
              <Facts row={row} />
            </span>
            {!hasEnded && (
              <Button aria-label={t('revokeThis', { name: row.name, id: row.id })} onPress={() => onRevoke(row)}>
                {t('revoke')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Facts({ row: { about, createdAt, madeBy, lastUsedAt, revokedAt } }: { row: CredentialLine }) {
  const t = useTranslations('credentials')
  const times = useTimes()
  return (
    <span className="block text-small wrap-anywhere text-ink-3">
      {about}{' '}
      {madeBy
        ? t('madeBy', { time: times.exact(createdAt), name: madeBy.name })
        : t('made.at', { time: times.exact(createdAt) })}{' '}
      {lastUsedAt ? t('lastUsed', { time: times.exact(lastUsedAt) }) : t('neverUsed')}
      {revokedAt && ` ${t('revokedAt', { time: times.exact(revokedAt) })}`}
    </span>
  )
}
