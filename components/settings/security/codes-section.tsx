'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { SettingsSection } from '../settings-page.tsx'
import type { SettingsActs } from '../use-settings-acts.tsx'
import { usePasswordErrorMessage } from './use-password-error-message.ts'

const CodesDialog = lazyPart(() => import('./codes-dialog.tsx').then(({ CodesDialog }) => CodesDialog), {
  onFailed: ({ onClose }) => onClose(),
})

type Asking = 'begin' | 'renew' | 'end'

/** Two-factor codes from an app, and backup codes for when the app is lost. */
export function CodesSection({ isOn, acts }: { isOn: boolean; acts: SettingsActs }) {
  const t = useTranslations('security.codes')

  function showBackupCodes(codes: string[]): void {
    acts.open((close) => (
      <SecretDialog title={t('backup.title')} label={t('backup.label')} secret={codes.join('\n')} onClose={close}>
        {t('backup.means')}
      </SecretDialog>
    ))
  }

  function showUri(uri: string): void {
    acts.open((close) => (
      <CodesDialog
        uri={uri}
        onConfirmed={(codes) => {
          showBackupCodes(codes)
          acts.done({ words: t('on') })
        }}
        onClose={close}
      />
    ))
  }

  /** The three acts that need only the password. */
  async function send(asking: Asking, password: string, close: () => void): Promise<void> {
    if (asking === 'begin') return showUri((await trpcClient.ownSignIn.beginCodes.mutate({ password })).uri)
    if (asking === 'renew')
      return showBackupCodes((await trpcClient.ownSignIn.renewBackupCodes.mutate({ password })).backupCodes)
    await trpcClient.ownSignIn.endCodes.mutate({ password })
    close()
    acts.done({ words: t('off') })
  }

  const ask = (asking: Asking) =>
    acts.open((close) => (
      <PasswordDialog
        title={t(`${asking}.title`)}
        submit={t(`${asking}.submit`)}
        means={t(`${asking}.means`)}
        onSubmit={(password) => send(asking, password, close)}
        onClose={close}
      />
    ))

  return (
    <SettingsSection id="codes" title={t('title')}>
      <p className="mt-2 max-w-[68ch]">{t(isOn ? 'isOn' : 'isOff')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {(isOn ? (['renew', 'end'] as const) : (['begin'] as const)).map((asking) => (
          <Button key={asking} onPress={() => ask(asking)}>
            {t(`${asking}.open`)}
          </Button>
        ))}
      </div>
    </SettingsSection>
  )
}

interface PasswordDialogProps {
  title: string
  submit: string
  means: string
  onSubmit: (password: string) => Promise<void>
  onClose: () => void
}

/** Asks for the password to confirm the person's identity. */
function PasswordDialog({ means, onSubmit, ...form }: PasswordDialogProps) {
  const t = useTranslations('security')
  const [password, setPassword] = useState('')
  return (
    <FormDialog {...form} errorMessageOf={usePasswordErrorMessage()} onSubmit={() => onSubmit(password)}>
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
    </FormDialog>
  )
}
