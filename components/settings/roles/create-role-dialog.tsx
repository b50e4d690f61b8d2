'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import type { RoleMatrix, RoleRow } from '#server/modules/accounts/roles/schema.ts'
import { NameField } from '../fields.tsx'

interface CreateRoleDialogProps {
  matrix: RoleMatrix
  onClose: () => void
  onMade: (roleId: string, name: string) => void
}

/** The error code for an id that is taken (docs/interface/errors.md#codes). */
const TAKEN = 400315

/** Creates an empty role: its name, id, scope and rank. */
export function CreateRoleDialog({ matrix, onClose, onMade }: CreateRoleDialogProps) {
  const t = useTranslations('roles')
  const errorMessageOf = useErrorMessage()
  const { fields, write, forget } = useDraftFields('role', { displayName: '', typedId: '', rank: '0' })
  const { displayName, typedId, rank } = fields
  const [scope, setScope] = useState<RoleRow['scope']>('network')
  const roleId = typedId || idOf(displayName)

  async function send(): Promise<void> {
    const name = displayName.trim()
    const role = { roleId, displayName: name, scope, rank: Number(rank), permissions: [] }
    const made = await trpcClient.roles.make.mutate(role)
    forget()
    onMade(made.roleId, name)
  }

  return (
    <FormDialog
      title={t('make.title')}
      submit={t('make.submit')}
      errorMessageOf={(error) => (toRequestError(error).wire === TAKEN ? t('make.taken') : errorMessageOf(error))}
      onSubmit={send}
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
    </FormDialog>
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
