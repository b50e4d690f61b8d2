'use client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useTranslations } from 'use-intl'
import { NewPasswordField } from '#components/kit/sign-in/new-password-field.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { LinkFacts } from '#server/modules/accounts/staff/schema.ts'
import { SubmitButton } from './submit-button.tsx'

/** Invited people enter a name and a password; people who reset theirs enter a new password. */
export function AcceptInviteForm({ token, link }: { token: string; link: LinkFacts }) {
  const t = useTranslations('acceptInvite')
  const words = useTranslations('setUp')
  const errorId = useId()
  const takingUp = useMutation(
    useTRPC().staff.acceptInvite.mutationOptions({
      meta: { isPublic: true },
      onSuccess: () => location.assign(`/sign-in?made=${link.purpose}`),
    }),
  )
  const error = takingUp.error && (toRequestError(takingUp.error).code === 'NOT_FOUND' ? t('usedLink') : t('failed'))

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const name = String(fields.get('name') ?? '').trim()
    takingUp.mutate({ token, password: String(fields.get('password')), ...(name && { name }) })
  }

  return (
    <form method="post" onSubmit={submit} className="mt-4 grid gap-3.5">
      <Field label={words('email')} name="email" type="email" autoComplete="username" readOnly value={link.email} />
      {link.purpose === 'invitation' && (
        <Field
          label={words('name')}
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          autoFocus
          defaultValue={link.name}
        />
      )}
      <NewPasswordField
        label={words('password')}
        name="password"
        autoFocus={link.purpose === 'password'}
        errorId={error ? errorId : undefined}
      />
      {error && <FormError id={errorId}>{error}</FormError>}
      <SubmitButton isSending={takingUp.isPending || takingUp.isSuccess}>{t(`${link.purpose}.submit`)}</SubmitButton>
    </form>
  )
}
