'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import type { GrantableRole, MadeLink } from '#server/modules/accounts/staff/schema.ts'
import { NameField } from '../fields.tsx'

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
  // Channel roles are granted in the channel.
  const choices = roles.filter(({ scope }) => scope !== 'channel')
  const isLocal = choices.find((role) => role.roleId === roleId)?.scope === 'community'

  async function send(): Promise<void> {
    if (roleId === undefined) throw new Incomplete(t('chooseRole'))
    if (isLocal && communityId === undefined) throw new Incomplete(t('chooseCommunity'))
    const person = { name: fields.name.trim(), email: fields.email.trim() }
    const link = await trpcClient.staff.invite.mutate({ ...person, roleId, ...(isLocal && { communityId }) })
    forget()
    onInvited(link)
  }

  return (
    <FormDialog
      title={t('title')}
      submit={t('submit')}
      errorMessageOf={(error) =>
        toRequestError(error).code === 'UNPROCESSABLE_CONTENT' ? t('taken') : errorMessageOf(error)
      }
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
    </FormDialog>
  )
}

interface CommunityChoiceProps {
  chosen: string | undefined
  onChoose: (communityId: string) => void
}

/** Selects a community by name or id. */
function CommunityChoice({ chosen, onChoose }: CommunityChoiceProps) {
  const t = useTranslations('staff.invite')
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const found = useQuery(useTRPC().palette.find.queryOptions({ query }, { ...KEEP_PREVIOUS, enabled: query !== '' }))
  const communities = query === '' ? [] : (found.data?.communities ?? [])
  return (
    <div className="grid gap-3.5">
      <Field
        label={t('community')}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {communities.length > 0 && (
        <Choices
          legend={t('found')}
          choices={communities.map(({ communityId, displayName }) => ({
            id: communityId,
            label: displayName,
            hint: communityId,
          }))}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {query !== '' && found.isSuccess && communities.length === 0 && <p className="text-ink-3">{t('noCommunity')}</p>}
    </div>
  )
}
