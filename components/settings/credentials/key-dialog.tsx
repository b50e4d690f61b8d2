'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { IssuedSecret } from '#server/modules/accounts/access/schema.ts'
import { NameField } from '../name-field.tsx'

interface KeyDialogProps {
  onClose: () => void
  onIssued: (secret: IssuedSecret) => void
}

const KINDS = {
  app: ['sessions'],
  appWithRoles: ['sessions', 'roles'],
  server: ['server'],
  classifier: ['signals'],
} as const
type Kind = keyof typeof KINDS

/** Creates a key: a public one for an app, or a secret one for a backend or a classifier. */
export function KeyDialog({ onClose, onIssued }: KeyDialogProps) {
  const t = useTranslations('credentials.keys')
  const errorMessageOf = useErrorMessage()
  const { fields, write, forget } = useDraftFields('key', { name: '' })
  const [kind, setKind] = useState<Kind>('app')
  const issuing = useMutation(
    useTRPC().credentials.issueKey.mutationOptions({
      onSuccess: (secret) => {
        forget()
        onIssued(secret)
      },
    }),
  )
  return (
    <ActForm
      title={t('dialog')}
      submit={t('submit')}
      isPending={issuing.isPending}
      failure={errorMessageOf(issuing.error)}
      onSubmit={() => issuing.mutate({ name: fields.name.trim(), allows: [...KINDS[kind]] })}
      onClose={onClose}
    >
      <NameField label={t('name')} hint={t('nameHint')} name={fields.name} onChange={(name) => write({ name })} />
      <Choices
        legend={t('kind')}
        choices={(['app', 'appWithRoles', 'server', 'classifier'] as const).map((id) => ({
          id,
          label: t(`kinds.${id}`),
          hint: t(`kinds.${id}Hint`),
        }))}
        chosen={kind}
        onChoose={setKind}
      />
    </ActForm>
  )
}
