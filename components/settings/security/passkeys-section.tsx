'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { OwnSignIn } from '#server/modules/accounts/staff/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import type { SecurityActs } from './password-section.tsx'

const AddDialog = lazyPart(() => import('./add-passkey-dialog.tsx').then(({ AddPasskeyDialog }) => AddPasskeyDialog), {
  onFailed: ({ onClose }) => onClose(),
})

interface PasskeysSectionProps {
  passkeys: OwnSignIn['passkeys']
  acts: SecurityActs
}

/** The person's passkeys, which sign in without a password. */
export function PasskeysSection({ passkeys, acts }: PasskeysSectionProps) {
  const t = useTranslations('security.passkeys')
  const times = useTimes()
  const removing = useMutation(useTRPC().ownSignIn.removePasskey.mutationOptions())
  const [isAdding, setAdding] = useState(false)
  return (
    <SettingsSection
      id="passkeys"
      title={t('title')}
      acts={<Button onPress={() => setAdding(true)}>{t('open')}</Button>}
    >
      <p className="mt-2 max-w-[68ch]">{t('means')}</p>
      <ul className="mt-1">
        {passkeys.map(({ passkeyId, name = t('unnamed'), addedAt }) => (
          <li
            key={passkeyId}
            className="flex min-h-table-row flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5"
          >
            <span className="min-w-0 flex-1 basis-56">
              <bdi className="font-firm wrap-anywhere text-ink">{name}</bdi>
              <span className="block text-small text-ink-3">{t('added', { time: times.exact(addedAt) })}</span>
            </span>
            <Button
              aria-label={t('removeThis', { name })}
              onPress={() =>
                acts.confirm(
                  {
                    title: t('askTitle'),
                    about: name,
                    means: t('askMeans', { left: passkeys.length - 1 }),
                    submit: t('remove'),
                  },
                  () => removing.mutateAsync({ passkeyId }),
                  { words: t('removed', { name }) },
                )
              }
            >
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={(name) => {
            setAdding(false)
            acts.done({ words: t('done', { name }) })
          }}
        />
      )}
    </SettingsSection>
  )
}
