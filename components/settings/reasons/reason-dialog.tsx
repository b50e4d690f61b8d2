'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
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
  const { label = '', textToAuthor = '' } = reason ?? {}
  const { fields, write, forget } = useDraftFields(`reason ${reason?.reasonId ?? ''}`, { label, textToAuthor })
  const adding = useMutation(reasons.add.mutationOptions())
  const changing = useMutation(reasons.change.mutationOptions())

  async function send(): Promise<void> {
    const sent = { label: fields.label.trim(), textToAuthor: fields.textToAuthor.trim() }
    const reasons = reason
      ? await changing.mutateAsync({ ...sent, reasonId: reason.reasonId })
      : await adding.mutateAsync(sent)
    forget()
    onDone(reasons, reason ? t('changed') : t('added'))
  }

  return (
    <ActForm
      title={reason ? t('changeTitle') : t('add')}
      submit={reason ? t('save') : t('addSubmit')}
      isWritten
      isPending={adding.isPending || changing.isPending}
      failure={errorMessageOf(adding.error ?? changing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={() => {
        forget()
        onClose()
      }}
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
        value={fields.label}
        onChange={(event) => write({ label: event.target.value })}
      />
      <TextBox
        label={t('text')}
        hint={t('textHint')}
        value={fields.textToAuthor}
        onChange={(text) => write({ textToAuthor: text })}
        maxLength={TEXT_LENGTH}
      />
    </ActForm>
  )
}
