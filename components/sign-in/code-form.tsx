'use client'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { giveCode, type SignInAnswer } from './sign-in.ts'
import { SubmitButton } from './submit-button.tsx'
import { useErrorText } from './use-error-text.ts'

/** The second factor, where required. */
export function CodeForm({ onIn, onBack }: { onIn: () => void; onBack: () => void }) {
  const t = useTranslations('signIn')
  const errorId = useId()
  const [isSending, setSending] = useState(false)
  const [answer, setAnswer] = useState<SignInAnswer>()
  const error = useErrorText(answer, true)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    setSending(true)
    const answered = await giveCode(String(new FormData(form).get('code')))
    if (answered.kind === 'in') return onIn()

    setSending(false)
    setAnswer(answered)
    form.querySelector<HTMLInputElement>('[name=code]')?.select()
  }

  return (
    <form
      method="post"
      onSubmit={(event) => void submit(event)}
      onInput={() => setAnswer(undefined)}
      className="mt-4 grid gap-3.5"
    >
      <Field
        label={t('code')}
        hint={t('codeHint')}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        maxLength={20}
        aria-invalid={answer?.kind === 'wrong' || undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {error && <FormError id={errorId}>{error}</FormError>}
      <SubmitButton isSending={isSending}>{t('submit')}</SubmitButton>
      <Button look="bare" size="large" className="-mt-1.5" onPress={onBack}>
        {t('back')}
      </Button>
    </form>
  )
}
