'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { addPasskey } from '#components/kit/sign-in/passkey.ts'
import { NameField } from '../name-field.tsx'

/** Asks only for a name; the browser does the rest. */
export function AddPasskeyDialog({ onAdded, onClose }: { onAdded: (name: string) => void; onClose: () => void }) {
  const t = useTranslations('security.passkeys')
  const [name, setName] = useState('')
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: (answer) => answer === 'done' && onAdded(name.trim()),
  })
  return (
    <ActForm
      title={t('submit')}
      submit={t('submit')}
      isPending={adding.isPending}
      failure={adding.data && adding.data !== 'done' ? t(`refused.${adding.data}`) : undefined}
      onSubmit={() => adding.mutate(name.trim())}
      onClose={onClose}
    >
      <NameField label={t('name')} hint={t('nameHint')} name={name} onChange={setName} />
    </ActForm>
  )
}
