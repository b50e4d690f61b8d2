'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Avatar } from '#components/ui/avatar.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { GrantableRole, StaffFacts, StaffRole } from '#server/modules/accounts/staff/schema.ts'
import { SettingsPage } from '../settings-page.tsx'
import { useDialogs } from '../use-dialogs.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { StaffState } from './staff-state.tsx'
import { toColleaguePath } from './to-colleague-path.ts'

/** The accounts of the staff, each row linking to its page. */
export function StaffPage() {
  const t = useTranslations('staff')
  const parts = useTranslations('settingsParts')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const list = useQuery(trpc.staff.list.queryOptions())
  const columns = useColumns()
  const { open, dialog } = useDialogs()

  const invite = (roles: GrantableRole[]) =>
    open((close) => (
      <InviteDialog
        roles={roles}
        onClose={close}
        onInvited={(link) => {
          open((close) => <LinkDialog link={link} purpose="invitation" onClose={close} />)
          void queryClient.invalidateQueries(trpc.staff.pathFilter())
        }}
      />
    ))

  return (
    <SettingsPage
      title={parts('staff')}
      lead={t('lead')}
      acts={
        <Button look="primary" onPress={() => list.data && invite(list.data.grantable)} isDisabled={!list.data}>
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
      {dialog}
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
