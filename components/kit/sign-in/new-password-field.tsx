import { useTranslations } from 'use-intl'
import { Field } from '#components/ui/field.tsx'
import { PASSWORD_LENGTH } from './password-length.ts'

interface NewPasswordFieldProps {
  label: string
  name: string
  autoFocus?: boolean
  /** Of what says why it was not taken. */
  errorId?: string | undefined
}

/** Where a password is chosen: one the browser may make up, as long as the server wants it. */
export function NewPasswordField({ errorId, ...field }: NewPasswordFieldProps) {
  const t = useTranslations('setUp')
  return (
    <Field
      {...field}
      hint={t('passwordHint', { length: PASSWORD_LENGTH.min })}
      type="password"
      autoComplete="new-password"
      required
      minLength={PASSWORD_LENGTH.min}
      maxLength={PASSWORD_LENGTH.max}
      aria-describedby={errorId}
    />
  )
}
