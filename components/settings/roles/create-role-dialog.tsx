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
import type { RoleMatrix, RoleRow } from '#server/modules/accounts/roles/schema.ts'
import { NameField } from '../name-field.tsx'

interface MakeDialogProps {
  matrix: RoleMatrix
  onClose: () => void
  onMade: (roleId: string, name: string) => void
}

/** The error code for an id that is taken (docs/interface/errors.md#codes). */
const TAKEN = 400315

/** Creates an empty role: its name, id, scope and rank. */
export function CreateRoleDialog({ matrix, onClose, onMade }: MakeDialogProps) {
  const t = useTranslations('roles')
  const errorMessageOf = useErrorMessage()
  const { fields, write, forget } = useDraftFields('role', { displayName: '', typedId: '', rank: '0' })
  const { displayName, typedId, rank } = fields
  const [scope, setScope] = useState<RoleRow['scope']>('network')
  const roleId = typedId || idOf(displayName)
  const making = useMutation(
    useTRPC().roles.make.mutationOptions({
      onSuccess: (made) => {
        forget()
        onMade(made.roleId, displayName.trim())
      },
    }),
  )
  const isTaken = toRequestError(making.error).wire === TAKEN

  return (
    <ActForm
      title={t('make.title')}
      submit={t('make.submit')}
      isPending={making.isPending}
      failure={isTaken ? t('make.taken') : errorMessageOf(making.error)}
      onSubmit={() =>
        making.mutate({ roleId, displayName: displayName.trim(), scope, rank: Number(rank), permissions: [] })
      }
      onClose={onClose}
    >
      <NameField label={t('name')} name={displayName} onChange={(name) => write({ displayName: name })} />
      <Field
        label={t('make.id')}
        hint={t('make.idHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        pattern="[\w.\-]+"
        maxLength={100}
        value={roleId}
        onChange={(event) => write({ typedId: event.target.value })}
      />
      <Field
        label={t('rank')}
        hint={t('make.rankHint', { rank: matrix.ownRank })}
        type="number"
        inputMode="numeric"
        required
        min={0}
        max={matrix.ownRank - 1}
        value={rank}
        onChange={(event) => write({ rank: event.target.value })}
      />
      <Choices
        legend={t('make.scope')}
        choices={(['network', 'community', 'channel'] as const).map((id) => ({
          id,
          label: t(`scopes.${id}`),
        }))}
        chosen={scope}
        onChoose={setScope}
        columns={3}
      />
    </ActForm>
  )
}

/** "night-shift" for "Night shift". */
function idOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
