'use client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useTranslations } from 'use-intl'
import { NewPasswordField } from '#components/kit/sign-in/new-password-field.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { SubmitButton } from './submit-button.tsx'

/** Creates the first admin with the one-time link from the terminal, then redirects to sign-in. */
export function SetUpForm({ token }: { token: string }) {
  const t = useTranslations('setUp')
  const errorId = useId()
  const setUp = useMutation(
    useTRPC().access.setUp.mutationOptions({
      meta: { isPublic: true },
      onSuccess: () => location.assign('/sign-in?made=1'),
    }),
  )
  const error = useErrorText(setUp.error)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const field = (name: string) => String(fields.get(name)).trim()
    setUp.mutate({ token, name: field('name'), email: field('email'), password: String(fields.get('password')) })
  }

  return (
    <form method="post" onSubmit={submit} className="mt-4 grid gap-3.5">
      <Field label={t('name')} name="name" autoComplete="name" required maxLength={100} autoFocus />
      <Field label={t('email')} name="email" type="email" autoComplete="username" required maxLength={200} />
      <NewPasswordField label={t('password')} name="password" errorId={error ? errorId : undefined} />
      {error && <FormError id={errorId}>{error}</FormError>}
      <SubmitButton isSending={setUp.isPending || setUp.isSuccess}>{t('submit')}</SubmitButton>
    </form>
  )
}

function useErrorText(error: unknown): string | undefined {
  const t = useTranslations('setUp')
  if (!error) return undefined
  const { code, facts } = toRequestError(error)
  if (code === 'NOT_FOUND' || code === 'FORBIDDEN' || code === 'UNAUTHORIZED') return t('usedLink')
  const detail = facts && 'detail' in facts && Array.isArray(facts.detail) ? facts.detail.join(' ') : ''
  return detail || t('failed')
}
