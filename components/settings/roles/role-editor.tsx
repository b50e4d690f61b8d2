'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { CheckBox } from '#components/ui/check-box.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { RoleChange, RoleMatrix, RoleRow } from '#server/modules/accounts/roles/schema.ts'
import { BackLink } from '../settings-page.tsx'
import { useSettingsActs } from '../use-settings-acts.tsx'

interface RoleEditorProps {
  role: RoleRow
  matrix: RoleMatrix
  acts: ReturnType<typeof useRoleActs>
  onBack: () => void
}

const GROUPS = { network: ['network', 'community', 'channel'], community: ['community'], channel: ['channel'] } as const

/** One role: its name, its rank, and its permissions. Permissions the person may not grant are read-only. */
export function RoleEditor({ role, matrix, acts, onBack }: RoleEditorProps) {
  const t = useTranslations('roles')
  const errorMessageOf = useErrorMessage()
  const [displayName, setName] = useState(role.displayName)
  const [rank, setRank] = useState(String(role.rank))
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set(role.permissions))
  const { changing } = acts
  const failure = changing.variables?.roleId === role.roleId ? errorMessageOf(changing.error) : undefined

  function toggle(permission: string): void {
    const next = new Set(held)
    if (!next.delete(permission)) next.add(permission)
    setHeld(next)
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const known = GROUPS[role.scope].flatMap((scope) => matrix.permissions[scope])
    const permissions = known.filter((permission) => held.has(permission))
    void acts.change(role, { displayName: displayName.trim(), rank: Number(rank), permissions }).catch(() => undefined)
  }

  return (
    <form onSubmit={submit} className="mt-1">
      <RoleFacts role={role} />
      <div className="mt-4 mb-3.5 grid max-w-120 grid-cols-[1fr_8rem] gap-x-3 gap-y-3.5 phone:grid-cols-1">
        <Field
          label={t('name')}
          required
          maxLength={100}
          value={displayName}
          readOnly={!role.mayChange}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={t('rank')}
          type="number"
          inputMode="numeric"
          required
          min={0}
          max={role.mayChange ? matrix.ownRank - 1 : undefined}
          value={rank}
          readOnly={!role.mayChange}
          onChange={(event) => setRank(event.target.value)}
        />
      </div>
      {GROUPS[role.scope].map((scope) => (
        <PermissionGroup
          key={scope}
          legend={t(`groups.${scope}`)}
          permissions={matrix.permissions[scope]}
          held={held}
          // People can't grant permissions they lack, but can remove them.
          mayToggle={(permission) =>
            role.mayChange && (matrix.own.includes(permission) || role.permissions.includes(permission))
          }
          onToggle={toggle}
        />
      ))}
      {failure && (
        <div className="mt-4">
          <FormError id="role-failure">{failure}</FormError>
        </div>
      )}
      {role.mayChange && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" look="primary" isPending={changing.isPending}>
            {t('save')}
          </Button>
          {role.mayDelete && (
            <Button
              onPress={() => {
                acts.remove(role)
                onBack()
              }}
            >
              {t('delete')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

function RoleFacts({ role }: Pick<RoleEditorProps, 'role'>) {
  const t = useTranslations('roles')
  const times = useTimes()
  const { roleId, scope, holders, changedBy, updatedAt, mayChange } = role
  return (
    <div className="text-ink-3">
      <BackLink href="/settings/roles">{t('back')}</BackLink>
      <p className="flex flex-wrap items-center gap-x-2">
        <CopyId id={roleId} />
        {t('holders', { scope, holders })}
      </p>
      {changedBy && <p>{t('changedBy', { name: changedBy.name, time: times.exact(updatedAt) })}</p>}
      {!mayChange && <p className="mt-2">{t('notBelow')}</p>}
    </div>
  )
}

interface PermissionGroupProps {
  legend: string
  permissions: RoleMatrix['permissions']['network']
  held: ReadonlySet<string>
  mayToggle: (permission: string) => boolean
  onToggle: (permission: string) => void
}

/** A group of permissions, each a checkbox with a sentence on what it allows. */
function PermissionGroup({ legend, permissions, held, mayToggle, onToggle }: PermissionGroupProps) {
  const name = useTranslations('permissions')
  const meaning = useTranslations('permissionMeanings')
  const baseId = useId()
  return (
    <fieldset className="mt-5 border-t border-line-strong pt-3">
      <legend className="float-start mb-1 w-full text-large font-bold text-ink">{legend}</legend>
      <div className="clear-both grid grid-cols-2 gap-x-4 phone:grid-cols-1">
        {permissions.map((permission) => (
          <div key={permission} className="pb-1.5">
            <CheckBox
              aria-describedby={`${baseId}-${permission}`}
              checked={held.has(permission)}
              disabled={!mayToggle(permission)}
              onChange={() => onToggle(permission)}
            >
              {name(permission)}
            </CheckBox>
            <p id={`${baseId}-${permission}`} className="ps-6 text-small text-ink-3">
              {meaning(permission)}
            </p>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** Changes to roles, each with a time-limited undo. */
export function useRoleActs() {
  const t = useTranslations('roles')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const changing = useMutation(trpc.roles.change.mutationOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(trpc.roles.pathFilter()))

  async function change(before: RoleRow, after: Omit<RoleChange, 'roleId' | 'updatedAt'>): Promise<void> {
    const { roleId, displayName, rank, permissions } = before
    const { updatedAt } = await changing.mutateAsync({ roleId, updatedAt: before.updatedAt, ...after })
    acts.done({
      words: t('changed', { name: after.displayName }),
      undo: () => changing.mutateAsync({ roleId, updatedAt, displayName, rank, permissions }),
    })
  }

  function remove({ roleId, displayName: name }: RoleRow): void {
    acts.run(() => trpcClient.roles.delete.mutate({ roleId }), {
      words: t('deleted', { name }),
      undo: () => trpcClient.roles.restore.mutate({ roleId }),
    })
  }

  return { ...acts, change, changing, remove }
}
