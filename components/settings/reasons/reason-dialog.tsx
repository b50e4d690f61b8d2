'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Field } from '#components/ui/field.tsx'
import { TextBox } from '#components/ui/text-box.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'

export interface ReasonDialogProps {
  onClose: () => void
  /** Receives all reasons after the change. */
  onDone: (reasons: RejectionReason[], words: string) => void
}

const LABEL_LENGTH = 100
const TEXT_LENGTH = 500

/** The name of a reason and the text sent to the author: for a new reason or an existing one. */
export function ReasonDialog({ reason, onClose, onDone }: ReasonDialogProps & { reason?: RejectionReason }) {
  const t = useTranslations('reasonSettings')
  const { reasons } = useTRPC()
  const errorMessageOf = useErrorMessage()
  const [label, setLabel] = useState(reason?.label ?? '')
  const [textToAuthor, setTextToAuthor] = useState(reason?.textToAuthor ?? '')
  const adding = useMutation(reasons.add.mutationOptions())
  const changing = useMutation(reasons.change.mutationOptions())

  async function send(): Promise<void> {
    const fields = { label: label.trim(), textToAuthor: textToAuthor.trim() }
    if (reason) onDone(await changing.mutateAsync({ ...fields, reasonId: reason.reasonId }), t('changed'))
    else onDone(await adding.mutateAsync(fields), t('added'))
  }

  return (
    <ActForm
      title={reason ? t('changeTitle') : t('add')}
      submit={reason ? t('save') : t('addSubmit')}
      isWritten
      isPending={adding.isPending || changing.isPending}
      failure={errorMessageOf(adding.error ?? changing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <Field
        label={t('name')}
        hint={t('nameHint')}
        dir="auto"
        autoFocus
        required
        pattern=".*\S.*"
        autoComplete="off"
        maxLength={LABEL_LENGTH}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextBox
        label={t('text')}
        hint={t('textHint')}
        value={textToAuthor}
        onChange={setTextToAuthor}
        maxLength={TEXT_LENGTH}
      />
    </ActForm>
  )
}
