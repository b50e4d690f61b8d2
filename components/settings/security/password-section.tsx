'use client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useTranslations } from 'use-intl'
import { NewPasswordField } from '#components/kit/sign-in/new-password-field.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { SettingsSection } from '../settings-page.tsx'
import type { useSettingsActs } from '../use-settings-acts.tsx'
import { usePasswordErrorMessage } from './use-password-error-message.ts'

export type SecurityActs = ReturnType<typeof useSettingsActs>

/** Changes the password; all other sessions are signed out. */
export function PasswordSection({ acts }: { acts: SecurityActs }) {
  const t = useTranslations('security.password')
  const errorId = useId()
  const errorMessageOf = usePasswordErrorMessage()
  const changing = useMutation(useTRPC().ownSignIn.changePassword.mutationOptions())
  const error = errorMessageOf(changing.error)

  async function send(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form)
    const { endedSessions } = await changing.mutateAsync({
      currentPassword: String(fields.get('current')),
      newPassword: String(fields.get('new')),
    })
    form.reset()
    acts.done({ words: t('done', { sessions: endedSessions }) })
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    void send(event.currentTarget).catch(() => undefined)
  }

  return (
    <SettingsSection id="password" title={t('title')}>
      <form method="post" onSubmit={submit} className="mt-3 grid max-w-90 gap-3.5">
        <Field label={t('current')} name="current" type="password" autoComplete="current-password" required />
        <NewPasswordField label={t('new')} name="new" errorId={error ? errorId : undefined} />
        {error && <FormError id={errorId}>{error}</FormError>}
        <Button type="submit" className="justify-self-start" isPending={changing.isPending}>
          {t('submit')}
        </Button>
      </form>
    </SettingsSection>
  )
}
