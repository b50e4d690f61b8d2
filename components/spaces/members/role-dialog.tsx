'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { MemberDialogProps } from './member-dialog-props.ts'

/** Adds a role that the person may grant, to the members who lack it. */
export function AddRoleDialog(props: MemberDialogProps) {
  const roles = props.roles.filter(({ mayGrant }) => mayGrant)
  return <RoleDialog {...props} act="addRole" choices={roles} />
}

/** Removes a role that the person may remove, from the members who hold it. */
export function RemoveRoleDialog(props: MemberDialogProps) {
  const held = new Set(props.members.flatMap(({ removableRoles }) => removableRoles))
  const choices = [...held].map((roleId) => ({
    roleId,
    displayName: props.roles.find((role) => role.roleId === roleId)?.displayName ?? roleId,
  }))
  return <RoleDialog {...props} act="removeRole" choices={choices} />
}

interface RoleDialogProps extends MemberDialogProps {
  act: 'addRole' | 'removeRole'
  choices: { roleId: string; displayName: string }[]
}

function RoleDialog({ act, choices, space, members, onClose, onDone }: RoleDialogProps) {
  const t = useTranslations('members')
  const trpc = useTRPC()
  const errorMessageOf = useErrorMessage()
  const adding = useMutation(trpc.members.addRole.mutationOptions())
  const removing = useMutation(trpc.members.removeRole.mutationOptions())
  const [mutation, undo] = act === 'addRole' ? [adding, removing] : [removing, adding]
  const [role, setRole] = useState<string | undefined>(choices.length === 1 ? choices[0]?.roleId : undefined)
  const [isAsked, setAsked] = useState(false)
  const named = choices.find(({ roleId }) => roleId === role)?.displayName ?? ''
  const concerned = members.filter(({ roles, removableRoles }) =>
    act === 'removeRole' ? removableRoles.includes(role ?? '') : !roles.includes(role ?? ''),
  )

  async function send(): Promise<void> {
    setAsked(role === undefined)
    if (role === undefined || concerned.length === 0) return
    const change = { space, role, userIds: concerned.map(({ userId }) => userId) }
    const left = await mutation.mutateAsync(change)
    onClose()
    const words = t(`done.${act}`, { count: concerned.length, who: concerned[0]?.displayName ?? '', role: named })
    onDone({
      words: left?.isWithoutModerator ? `${words} ${t('noModerator')}` : words,
      undo: () => undo.mutateAsync(change),
    })
  }
  return (
    <ActForm
      title={t(`${act}Title`, { count: members.length, who: members[0]?.displayName ?? '' })}
      submit={t(`submit.${act}`)}
      isPending={mutation.isPending}
      failure={isAsked ? t('chooseRole') : errorMessageOf(mutation.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <Choices
        legend={t('role')}
        autoFocus
        chosen={role}
        onChoose={setRole}
        choices={choices.map(({ roleId, displayName }) => ({ id: roleId, label: displayName }))}
      />
      {role !== undefined && (
        <p className="text-small text-ink-3">{t(`concerned.${act}`, { count: concerned.length })}</p>
      )}
    </ActForm>
  )
}
