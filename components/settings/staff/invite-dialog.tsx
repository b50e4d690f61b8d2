'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import type { GrantableRole, MadeLink } from '#server/modules/accounts/staff/schema.ts'
import { NameField } from '../name-field.tsx'
import { CommunityChoice } from './community-choice.tsx'

interface InviteDialogProps {
  roles: GrantableRole[]
  onClose: () => void
  onInvited: (link: MadeLink) => void
}

/** Invites somebody to a role; a community moderator, to a community. */
export function InviteDialog({ roles, onClose, onInvited }: InviteDialogProps) {
  const t = useTranslations('staff.invite')
  const scopes = useTranslations('roles.scopes')
  const errorMessageOf = useErrorMessage()
  const { fields, write, forget } = useDraftFields('invite', { name: '', email: '' })
  const [roleId, setRoleId] = useState<string>()
  const [communityId, setCommunityId] = useState<string>()
  const [asked, setAsked] = useState<string>()
  const inviting = useMutation(
    useTRPC().staff.invite.mutationOptions({
      onSuccess: (link) => {
        forget()
        onInvited(link)
      },
    }),
  )
  // Channel roles are granted in the channel.
  const choices = roles.filter(({ scope }) => scope !== 'channel')
  const isLocal = choices.find((role) => role.roleId === roleId)?.scope === 'community'

  function send(): void {
    const isSomewhere = !isLocal || communityId !== undefined
    setAsked(t(roleId === undefined ? 'chooseRole' : 'chooseCommunity'))
    if (roleId === undefined || !isSomewhere) return
    setAsked(undefined)
    inviting.mutate({ name: fields.name.trim(), email: fields.email.trim(), roleId, ...(isLocal && { communityId }) })
  }

  const isTaken = toRequestError(inviting.error).code === 'UNPROCESSABLE_CONTENT'
  return (
    <ActForm
      title={t('title')}
      submit={t('submit')}
      isPending={inviting.isPending}
      failure={asked ?? (isTaken ? t('taken') : errorMessageOf(inviting.error))}
      onSubmit={send}
      onClose={onClose}
    >
      <NameField label={t('name')} name={fields.name} onChange={(name) => write({ name })} />
      <Field
        label={t('email')}
        type="email"
        autoComplete="off"
        required
        maxLength={200}
        value={fields.email}
        onChange={(event) => write({ email: event.target.value })}
      />
      <Choices
        legend={t('role')}
        choices={choices.map(({ roleId, displayName, scope }) => ({
          id: roleId,
          label: displayName,
          hint: scopes(scope),
        }))}
        chosen={roleId}
        onChoose={setRoleId}
        columns={2}
      />
      {isLocal && <CommunityChoice chosen={communityId} onChoose={setCommunityId} />}
    </ActForm>
  )
}
