'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { CopyId } from '#components/ui/copy-id.tsx'
import { Field } from '#components/ui/field.tsx'
import { QrCode } from './qr-code.tsx'
import { usePasswordErrorMessage } from './use-password-error-message.ts'

interface ConfirmDialogProps {
  uri: string
  onConfirmed: (backupCodes: string[]) => void
  onClose: () => void
}

/** The QR code for the app, and a field for the code that proves the app has read it. */
export function ConfirmDialog({ uri, onConfirmed, onClose }: ConfirmDialogProps) {
  const t = useTranslations('security.codes.confirm')
  const errorMessageOf = usePasswordErrorMessage('code')
  const [code, setCode] = useState('')
  const confirming = useMutation(
    useTRPC().ownSignIn.confirmCodes.mutationOptions({ onSuccess: ({ backupCodes }) => onConfirmed(backupCodes) }),
  )
  return (
    <ActForm
      title={t('title')}
      submit={t('submit')}
      isPending={confirming.isPending}
      failure={errorMessageOf(confirming.error)}
      onSubmit={() => confirming.mutate({ code: code.trim() })}
      onClose={onClose}
    >
      <p>{t('scan')}</p>
      <QrCode text={uri} label={t('picture')} />
      <div>
        <p className="text-ink-3">{t('typed')}</p>
        <CopyId id={new URL(uri).searchParams.get('secret') ?? ''} />
      </div>
      <Field
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        maxLength={20}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </ActForm>
  )
}
