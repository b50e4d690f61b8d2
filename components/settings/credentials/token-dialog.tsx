'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { Credentials, IssuedSecret } from '#server/modules/accounts/access/schema.ts'
import { NameField } from '../name-field.tsx'

interface TokenDialogProps {
  roles: Credentials['grantable']
  onClose: () => void
  onIssued: (secret: IssuedSecret) => void
}

const DAY_HOURS = 24
const TERMS = { day: DAY_HOURS, month: 30 * DAY_HOURS, quarter: 90 * DAY_HOURS, year: 365 * DAY_HOURS }
type Term = keyof typeof TERMS

/** Creates a token for programs in admin context: its name, its role and its lifetime. */
export function TokenDialog({ roles, onClose, onIssued }: TokenDialogProps) {
  const t = useTranslations('credentials.tokens')
  const errorMessageOf = useErrorMessage()
  const { fields, write, forget } = useDraftFields('token', { name: '' })
  const [roleId, setRoleId] = useState<string>()
  const [term, setTerm] = useState<Term>('quarter')
  const [isAsked, setAsked] = useState(false)
  const issuing = useMutation(
    useTRPC().credentials.issueToken.mutationOptions({
      onSuccess: (secret) => {
        forget()
        onIssued(secret)
      },
    }),
  )

  function send(): void {
    setAsked(roleId === undefined)
    if (roleId !== undefined) issuing.mutate({ name: fields.name.trim(), roleId, hours: TERMS[term] })
  }

  return (
    <ActForm
      title={t('dialog')}
      submit={t('submit')}
      isPending={issuing.isPending}
      failure={isAsked ? t('chooseRole') : errorMessageOf(issuing.error)}
      onSubmit={send}
      onClose={onClose}
    >
      <NameField label={t('name')} hint={t('nameHint')} name={fields.name} onChange={(name) => write({ name })} />
      <Choices
        legend={t('role')}
        choices={roles.map(({ roleId, displayName }) => ({ id: roleId, label: displayName }))}
        chosen={roleId}
        onChoose={setRoleId}
        columns={2}
      />
      <Choices
        legend={t('term')}
        choices={(['day', 'month', 'quarter', 'year'] as const).map((id) => ({ id, label: t(`terms.${id}`) }))}
        chosen={term}
        onChoose={setTerm}
        columns={2}
      />
    </ActForm>
  )
}
