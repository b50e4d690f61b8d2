import { useTranslations } from 'use-intl'
import { Field } from '#components/ui/field.tsx'
import { PASSWORD_LENGTH } from './password-length.ts'

interface NewPasswordFieldProps {
  label: string
  name: string
  autoFocus?: boolean
  /** The id of the error message. */
  errorId?: string | undefined
}

/** A field for a new password: the browser may generate one, of the length the server requires. */
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
