'use client'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { CodeForm } from './code-form.tsx'
import { OtherSignInMethods } from './other-sign-in-methods.tsx'
import { type SignInAnswer, signIn } from './sign-in.ts'
import { SubmitButton } from './submit-button.tsx'
import { useErrorText } from './use-error-text.ts'

interface SignInFormProps {
  then: string
  /** The name of the organisation's sign-in provider, if there is one. */
  openIdName: string | undefined
}

/** Redirects to `then` with a full page load, so that nothing of an earlier person stays in memory. */
export function SignInForm({ then, openIdName }: SignInFormProps) {
  const [isSecondStep, setSecondStep] = useState(false)
  const onIn = () => location.assign(then)
  if (isSecondStep) return <CodeForm onIn={onIn} onBack={() => setSecondStep(false)} />
  return (
    <>
      <PasswordForm onIn={onIn} onCode={() => setSecondStep(true)} />
      <OtherSignInMethods then={then} openIdName={openIdName} onIn={onIn} />
    </>
  )
}

function PasswordForm({ onIn, onCode }: { onIn: () => void; onCode: () => void }) {
  const t = useTranslations('signIn')
  const errorId = useId()
  const [isSending, setSending] = useState(false)
  const [answer, setAnswer] = useState<SignInAnswer>()
  const error = useErrorText(answer)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    setSending(true)
    const answered = await signIn(String(fields.get('email')), String(fields.get('password')))
    if (answered.kind === 'in') return onIn()
    if (answered.kind === 'code') return onCode()

    setSending(false)
    setAnswer(answered)
    form.querySelector<HTMLInputElement>('[name=password]')?.select()
  }

  const isWrong = answer?.kind === 'wrong'
  return (
    <form
      method="post"
      onSubmit={(event) => void submit(event)}
      onInput={() => setAnswer(undefined)}
      className="mt-4 grid gap-3.5"
    >
      <Field
        label={t('email')}
        name="email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        aria-invalid={isWrong || undefined}
      />
      <Field
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        aria-invalid={isWrong || undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {error && <FormError id={errorId}>{error}</FormError>}
      <SubmitButton isSending={isSending}>{t('submit')}</SubmitButton>
    </form>
  )
}
