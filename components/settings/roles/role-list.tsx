'use client'
import { ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { RoleRow } from '#server/modules/accounts/roles/schema.ts'

/** The roles as links, where the matrix doesn't fit. */
export function RoleList({ roles, onOpen }: { roles: RoleRow[]; onOpen: (roleId: string) => void }) {
  const t = useTranslations('roles')
  return (
    <ul aria-label={t('list')} className="mt-3 hidden @max-[50rem]/roles:block">
      {roles.map(({ roleId, displayName, rank, scope, permissions, holders }) => (
        <li key={roleId} className="border-b border-line">
          <button
            type="button"
            onClick={() => onOpen(roleId)}
            className="flex min-h-13 w-full items-center gap-2 py-1.5 text-start outline-offset-[-2px] hover:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <bdi className="block font-firm wrap-anywhere text-ink">{displayName}</bdi>
              <span className="block text-small text-ink-3">
                {t('facts', { rank, scope, permissions: permissions.length, holders })}
              </span>
            </span>
            <ChevronRight className="shrink-0 text-ink-3 rtl:-scale-x-100" />
          </button>
        </li>
      ))}
    </ul>
  )
}
