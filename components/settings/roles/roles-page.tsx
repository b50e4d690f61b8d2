'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { parseAsString } from '#components/ui/search-params/parsers.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { RoleMatrix, RoleRow } from '#server/modules/accounts/roles/schema.ts'
import { SettingsPage } from '../settings-page.tsx'
import { CreateRoleDialog } from './create-role-dialog.tsx'
import { MatrixTable } from './matrix-table.tsx'
import { RoleEditor, useRoleActs } from './role-editor.tsx'

/** What each role may do: all of them in a matrix, or one at a time to edit it. */
export function RolesPage() {
  const t = useTranslations('roles')
  const parts = useTranslations('settingsParts')
  const matrix = useQuery(useTRPC().roles.matrix.queryOptions())
  if (matrix.data) return <Roles matrix={matrix.data} />
  return (
    <SettingsPage title={parts('roles')} lead={t('lead')}>
      <QueryState query={matrix} />
    </SettingsPage>
  )
}

function Roles({ matrix }: { matrix: RoleMatrix }) {
  const t = useTranslations('roles')
  const parts = useTranslations('settingsParts')
  const [{ role: roleId }, setSearch] = useQueryStates(ROLES_SEARCH, { history: 'push' })
  const acts = useRoleActs()
  const role = matrix.roles.find((one) => one.roleId === roleId)
  const open = (id: string) => setSearch({ role: id || null })
  const make = () =>
    acts.open((close) => (
      <CreateRoleDialog
        matrix={matrix}
        onClose={close}
        onMade={(id, name) => {
          close()
          acts.done({ words: t('made', { name }) })
          open(id)
        }}
      />
    ))

  return (
    <SettingsPage
      isWide={!role}
      title={role ? <bdi>{role.displayName}</bdi> : parts('roles')}
      lead={role ? undefined : t('lead')}
      acts={!role && matrix.mayMake && <Button onPress={make}>{t('make.open')}</Button>}
    >
      {role ? (
        <RoleEditor
          key={`${role.roleId} ${role.updatedAt}`}
          role={role}
          matrix={matrix}
          acts={acts}
          onBack={() => open('')}
        />
      ) : (
        <div className="@container/roles">
          <MatrixTable matrix={matrix} onOpen={open} />
          <RoleList roles={matrix.roles} onOpen={open} />
        </div>
      )}
      {acts.toast}
    </SettingsPage>
  )
}

/** The roles as links, where the matrix doesn't fit. */
function RoleList({ roles, onOpen }: { roles: RoleRow[]; onOpen: (roleId: string) => void }) {
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

/** The open role; empty shows all of them in the matrix. */
const ROLES_SEARCH = { role: parseAsString.withDefault('') }
