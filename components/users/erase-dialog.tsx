'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { textOf } from '#components/kit/acts/hold-keys.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { CopyId } from '#components/ui/copy-id.tsx'
import { Field } from '#components/ui/field.tsx'
import type { PersonDialogProps } from './person-dialog-props.ts'

/** Erases a person's data after their id is typed: this can't be undone. */
export function EraseDialog({ person, typed, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('users.erase')
  const errorMessageOf = useErrorMessage()
  const { userId } = person.user
  const name = nameOf(person.user)
  const [confirmation, setConfirmation] = useState(() => textOf(typed))
  const [isWrong, setWrong] = useState(false)
  const erasing = useMutation(useTRPC().users.erase.mutationOptions())

  async function send(): Promise<void> {
    setWrong(confirmation.trim() !== userId)
    if (confirmation.trim() !== userId) return
    await erasing.mutateAsync({ userId, confirmation: confirmation.trim() })
    onClose()
    onDone({ words: t('done', { name }) })
  }

  return (
    <ActForm
      title={t('title', { name })}
      submit={t('submit')}
      look="reject"
      isWritten
      isPending={erasing.isPending}
      failure={isWrong ? t('wrong') : errorMessageOf(erasing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <p>{t('means')}</p>
      <WhatGoes userId={userId} />
      <div className="grid grid-cols-1 gap-1.5">
        <CopyId id={userId} />
        <Field
          label={t('confirmation')}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          required
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
      </div>
    </ActForm>
  )
}

const COUNTED = ['comments', 'posts', 'messages', 'openReports'] as const

/** How much goes with the person. */
function WhatGoes({ userId }: { userId: string }) {
  const t = useTranslations('users.erase')
  const format = useFormatter()
  const { data, isError } = useQuery(useTRPC().users.erasureCounts.queryOptions({ userId }))
  if (!data) return <p className="text-ink-3">{t(isError ? 'uncounted' : 'counting')}</p>
  const parts = COUNTED.filter((name) => data[name] > 0).map((name) => t(name, { count: data[name] }))
  if (parts.length === 0) return <p>{t('nothing')}</p>
  return <p className="font-firm text-ink">{t('counts', { what: format.list(parts) })}</p>
}
