'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Avatar } from '#components/ui/avatar.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { MadeLink, StaffFacts, StaffRole } from '#server/modules/accounts/staff/schema.ts'
import { loadSecretDialog } from '../lazy-secret-dialog.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { StaffState } from './staff-state.tsx'
import { toColleaguePath } from './to-colleague-path.ts'

const InviteDialog = lazyPart(
  () => Promise.all([import('./invite-dialog.tsx'), loadSecretDialog()]).then(([{ InviteDialog }]) => InviteDialog),
  { onFailed: ({ onClose }) => onClose() },
)

/** The accounts of the staff, each row linking to its page. */
export function StaffPage() {
  const t = useTranslations('staff')
  const parts = useTranslations('settingsParts')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const list = useQuery(trpc.staff.list.queryOptions())
  const columns = useColumns()
  const [isInviting, setInviting] = useState(false)
  const [made, setMade] = useState<MadeLink>()

  function onInvited(link: MadeLink): void {
    setInviting(false)
    setMade(link)
    void queryClient.invalidateQueries(trpc.staff.pathFilter())
  }

  return (
    <SettingsPage
      title={parts('staff')}
      lead={t('lead')}
      acts={
        <Button look="primary" onPress={() => setInviting(true)} isDisabled={!list.data}>
          <UserPlus />
          {t('invite.open')}
        </Button>
      }
    >
      <div className="mt-4 [--edge:0px]">
        <QueryState query={list} />
        {list.data && (
          <DataTable
            label={parts('staff')}
            columns={columns}
            items={list.data.staff}
            idOf={({ staffId }) => staffId}
            hrefOf={({ staffId }) => toColleaguePath(staffId)}
          />
        )}
      </div>
      {isInviting && list.data && (
        <InviteDialog roles={list.data.grantable} onClose={() => setInviting(false)} onInvited={onInvited} />
      )}
      {made && <LinkDialog link={made} purpose="invitation" onClose={() => setMade(undefined)} />}
    </SettingsPage>
  )
}

function useColumns(): TableColumn<StaffFacts>[] {
  const t = useTranslations('staff')
  const format = useFormatter()
  const times = useTimes()
  const roleNames = (roles: StaffRole[]) => format.list(roles.map(({ displayName }) => displayName))
  return [
    {
      id: 'name',
      header: t('name'),
      isRowHeader: true,
      cell: ({ name, email, roles, isSelf }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name} />
          <span className="min-w-0">
            <bdi className="block wrap-anywhere">{isSelf ? t('you', { name }) : name}</bdi>
            <bdi className="block text-small font-normal wrap-anywhere text-ink-3">{email}</bdi>
            <bdi className="hidden text-small font-normal wrap-anywhere text-ink-2 phone:block">{roleNames(roles)}</bdi>
          </span>
        </span>
      ),
    },
    {
      id: 'roles',
      header: t('roles'),
      hiddenOn: 'phone',
      cell: ({ roles }) => <bdi className="wrap-anywhere">{roleNames(roles) || t('noRole')}</bdi>,
    },
    {
      id: 'secondFactor',
      header: t('secondFactor'),
      hiddenOn: 'narrow',
      cell: ({ hasSecondFactor, passkeys }) => t('factors', { hasCodes: String(hasSecondFactor), passkeys }),
    },
    {
      id: 'lastSeen',
      header: t('lastSeen'),
      align: 'end',
      hiddenOn: 'narrow',
      cell: ({ lastSeenAt }) =>
        lastSeenAt ? <span title={times.exact(lastSeenAt)}>{times.brief(lastSeenAt)}</span> : t('never'),
    },
    { id: 'state', header: t('state'), cell: ({ state }) => <StaffState state={state} /> },
  ]
}
