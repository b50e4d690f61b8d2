'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { RoleMatrix } from '#server/modules/accounts/roles/schema.ts'
import { SettingsPage } from '../settings-page.tsx'
import { MatrixTable } from './matrix-table.tsx'
import { RoleEditor } from './role-editor.tsx'
import { RoleList } from './role-list.tsx'
import { ROLES_SEARCH } from './roles-search.ts'
import { useRoleActs } from './use-role-acts.ts'

const MakeDialog = lazyPart(() => import('./create-role-dialog.tsx').then(({ CreateRoleDialog }) => CreateRoleDialog), {
  onFailed: ({ onClose }) => onClose(),
})

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
  const [isMaking, setMaking] = useState(false)
  const acts = useRoleActs()
  const role = matrix.roles.find((one) => one.roleId === roleId)
  const open = (id: string) => setSearch({ role: id || null })

  return (
    <SettingsPage
      isWide={!role}
      title={role ? <bdi>{role.displayName}</bdi> : parts('roles')}
      lead={role ? undefined : t('lead')}
      acts={!role && matrix.mayMake && <Button onPress={() => setMaking(true)}>{t('make.open')}</Button>}
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
      {isMaking && (
        <MakeDialog
          matrix={matrix}
          onClose={() => setMaking(false)}
          onMade={(id, name) => {
            setMaking(false)
            acts.done({ words: t('made', { name }) })
            open(id)
          }}
        />
      )}
    </SettingsPage>
  )
}
