'use client'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { type SignInAnswer, signIn } from './sign-in.ts'
import { SubmitButton } from './submit-button.tsx'

/** Goes on to `then` with a fresh page, so that nothing of an earlier person stays in memory. */
export function SignInForm({ then }: { then: string }) {
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
    if (answered.kind === 'in') return location.assign(then)

    setSending(false)
    setAnswer(answered)
    form.querySelector<HTMLInputElement>('[name=password]')?.select()
  }

  const isWrong = answer?.kind === 'wrong'
  return (
    <form onSubmit={(event) => void submit(event)} onInput={() => setAnswer(undefined)} className="mt-4 grid">
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

function useErrorText(answer: SignInAnswer | undefined): string | undefined {
  const t = useTranslations('signIn')
  const span = useSpan()
  if (!answer || answer.kind === 'in') return undefined
  if (answer.kind === 'failed') return t('failed')
  if (answer.kind === 'wrong')
    return answer.triesLeft === undefined ? t('wrong') : t('wrongWithTries', { tries: answer.triesLeft })
  const { waitSeconds } = answer
  return waitSeconds < 60
    ? t('waitSeconds', { seconds: waitSeconds })
    : t('wait', { time: span(Math.ceil(waitSeconds / 60) * 60_000) })
}
