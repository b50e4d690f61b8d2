'use client'
import { useState } from 'react'
import { encode } from 'uqr'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { CopyId } from '#components/ui/copy-id.tsx'
import { Field } from '#components/ui/field.tsx'
import { usePasswordErrorMessage } from './use-password-error-message.ts'

interface CodesDialogProps {
  uri: string
  onConfirmed: (backupCodes: string[]) => void
  onClose: () => void
}

/** The QR code for the app, and a field for the code that proves the app has read it. */
export function CodesDialog({ uri, onConfirmed, onClose }: CodesDialogProps) {
  const t = useTranslations('security.codes.confirm')
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t('title')}
      submit={t('submit')}
      errorMessageOf={usePasswordErrorMessage('code')}
      onSubmit={async () =>
        onConfirmed((await trpcClient.ownSignIn.confirmCodes.mutate({ code: code.trim() })).backupCodes)
      }
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
    </FormDialog>
  )
}

const QUIET_MODULES = 4

/** Dark on light in every theme: many cameras can't read an inverted code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_MODULES })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="size-52 forced-color-adjust-none">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
