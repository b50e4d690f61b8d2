'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazySecretDialog, loadSecretDialog } from '../lazy-secret-dialog.tsx'
import { SettingsSection } from '../settings-page.tsx'
import type { SecurityActs } from './password-section.tsx'
import { usePasswordErrorMessage } from './use-password-error-message.ts'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx').then(({ ConfirmDialog }) => ConfirmDialog), {
  onFailed: ({ onClose }) => onClose(),
})

const PasswordDialog = lazyPart(
  () =>
    Promise.all([import('./password-dialog.tsx'), loadSecretDialog()]).then(([{ PasswordDialog }]) => PasswordDialog),
  { onFailed: ({ onClose }) => onClose() },
)

type Asking = 'begin' | 'renew' | 'end'

/** Two-factor codes from an app, and backup codes for when the app is lost. */
export function CodesSection({ isOn, acts }: { isOn: boolean; acts: SecurityActs }) {
  const t = useTranslations('security.codes')
  const [asking, setAsking] = useState<Asking>()
  const [uri, setUri] = useState<string>()
  const [backupCodes, setBackupCodes] = useState<string[]>()
  const { ask, isPending, failure } = useAsking({
    onUri: setUri,
    onBackupCodes: setBackupCodes,
    onEnded: () => acts.done({ words: t('off') }),
  })

  function showCodes(codes: string[]): void {
    setUri(undefined)
    setBackupCodes(codes)
    acts.done({ words: t('on') })
  }

  return (
    <SettingsSection id="codes" title={t('title')}>
      <p className="mt-2 max-w-[68ch]">{t(isOn ? 'isOn' : 'isOff')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {!isOn && <Button onPress={() => setAsking('begin')}>{t('begin.open')}</Button>}
        {isOn && <Button onPress={() => setAsking('renew')}>{t('renew.open')}</Button>}
        {isOn && <Button onPress={() => setAsking('end')}>{t('end.open')}</Button>}
      </div>
      {asking && (
        <PasswordDialog
          key={asking}
          title={t(`${asking}.title`)}
          submit={t(`${asking}.submit`)}
          means={t(`${asking}.means`)}
          isPending={isPending}
          failure={failure}
          onSubmit={(password) => ask(asking, password, () => setAsking(undefined))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {uri && <ConfirmDialog uri={uri} onConfirmed={showCodes} onClose={() => setUri(undefined)} />}
      {backupCodes && (
        <LazySecretDialog
          title={t('backup.title')}
          label={t('backup.label')}
          secret={backupCodes.join('\n')}
          onClose={() => setBackupCodes(undefined)}
        >
          {t('backup.means')}
        </LazySecretDialog>
      )}
    </SettingsSection>
  )
}

interface AskingDone {
  onUri: (uri: string) => void
  onBackupCodes: (codes: string[]) => void
  onEnded: () => void
}

/** The three acts that need only the password. */
function useAsking({ onUri, onBackupCodes, onEnded }: AskingDone) {
  const trpc = useTRPC()
  const errorMessageOf = usePasswordErrorMessage()
  const beginning = useMutation(trpc.ownSignIn.beginCodes.mutationOptions())
  const renewing = useMutation(trpc.ownSignIn.renewBackupCodes.mutationOptions())
  const ending = useMutation(trpc.ownSignIn.endCodes.mutationOptions())
  const all = [beginning, renewing, ending]

  async function ask(asking: Asking, password: string): Promise<void> {
    for (const one of all) one.reset()
    if (asking === 'begin') onUri((await beginning.mutateAsync({ password })).uri)
    if (asking === 'renew') onBackupCodes((await renewing.mutateAsync({ password })).backupCodes)
    if (asking === 'end') {
      await ending.mutateAsync({ password })
      onEnded()
    }
  }

  return {
    ask: (asking: Asking, password: string, onDone: () => void) =>
      void ask(asking, password).then(onDone, () => undefined),
    isPending: all.some(({ isPending }) => isPending),
    failure: errorMessageOf(all.find(({ error }) => error)?.error),
  }
}
