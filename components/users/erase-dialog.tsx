'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
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
      <div className="grid gap-1.5">
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
