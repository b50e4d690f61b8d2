'use client'
import { Check } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import type { RoleMatrix } from '#server/modules/accounts/roles/schema.ts'

interface MatrixTableProps {
  matrix: RoleMatrix
  onOpen: (roleId: string) => void
}

const SCOPES = ['network', 'community', 'channel'] as const

/** Permissions as rows, roles with their rank as columns; a list of roles replaces it where there isn't enough width. */
export function MatrixTable({ matrix: { roles, permissions }, onOpen }: MatrixTableProps) {
  const t = useTranslations('roles')
  const name = useTranslations('permissions')
  const meaning = useTranslations('permissionMeanings')
  const format = useFormatter()
  return (
    <section
      aria-label={t('matrix')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
      tabIndex={0}
      className="mt-4 max-h-[calc(100dvh-190px)] max-w-max overflow-auto @max-[50rem]/roles:hidden"
    >
      <table className="border-collapse">
        <caption className="sr-only">{t('matrix')}</caption>
        <thead>
          <tr>
            <td className="sticky start-0 top-0 z-2 border-b border-line-strong bg-surface" />
            {roles.map(({ roleId, displayName, rank }) => (
              <th
                key={roleId}
                scope="col"
                className="sticky top-0 z-1 border-b border-line-strong bg-surface px-1 pb-1 align-bottom font-normal"
              >
                <button
                  type="button"
                  onClick={() => onOpen(roleId)}
                  className="w-19 rounded-1 py-1 text-center font-firm wrap-anywhere text-accent hover:bg-hover"
                >
                  <bdi>{displayName}</bdi>
                  <span className="block text-small font-normal text-ink-3">
                    {t('rankOf', { rank: format.number(rank) })}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        {SCOPES.map((scope) => (
          <tbody key={scope}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={roles.length + 1}
                className="sticky start-0 pt-4 pb-1 text-start font-bold text-ink"
              >
                {t(`groups.${scope}`)}
              </th>
            </tr>
            {permissions[scope].map((permission) => (
              <tr key={permission} className="group hover:bg-hover">
                <th
                  scope="row"
                  title={meaning(permission)}
                  className="sticky start-0 z-1 h-7 border-b border-line bg-surface pe-3 text-start font-normal whitespace-nowrap text-ink group-hover:bg-hover"
                >
                  {name(permission)}
                </th>
                {roles.map((role) => (
                  <td key={role.roleId} className="h-7 border-b border-line text-center">
                    {role.permissions.includes(permission) && <Check aria-hidden className="mx-auto text-ink" />}
                    <span className="sr-only">{t(role.permissions.includes(permission) ? 'holds' : 'lacks')}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}
