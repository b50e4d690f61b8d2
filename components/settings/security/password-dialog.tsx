'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { Field } from '#components/ui/field.tsx'

interface PasswordDialogProps {
  title: string
  submit: string
  means: string
  isPending: boolean
  failure: string | undefined
  onSubmit: (password: string) => void
  onClose: () => void
}

/** Asks for the password to confirm the person's identity. */
export function PasswordDialog({ means, onSubmit, ...form }: PasswordDialogProps) {
  const t = useTranslations('security')
  const [password, setPassword] = useState('')
  return (
    <ActForm {...form} onSubmit={() => onSubmit(password)}>
      <p>{means}</p>
      <Field
        label={t('yourPassword')}
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ActForm>
  )
}
