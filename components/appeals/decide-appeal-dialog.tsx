'use client'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import { APPEAL_LENGTH } from '#server/modules/network/policies/schema.ts'
import type { Appeal, AppealOutcome } from '#server/modules/review/appeals/schema.ts'

interface DecideAppealDialogProps {
  appeal: Appeal
  outcome: AppealOutcome
  onClose: () => void
  onDone: (words: string) => void
  /** Somebody else was faster. */
  onChanged: () => void
}

/** Asks for the answer, and says what the decision changes: it has no undo. What is written is kept until it is sent. */
export function DecideAppealDialog({ appeal, outcome, onClose, onDone, onChanged }: DecideAppealDialogProps) {
  const t = useTranslations('appeals')
  const { appealId, author, statement, mayDecide } = appeal
  const { measure, content } = statement
  const { displayName: who } = author
  const [answer, write, forget] = useDraft(`appeal ${appealId}`, { typed: [] })

  async function send(): Promise<void> {
    const decided = trpcClient.appeals.decide.mutate({ appealId, outcome, answer: answer.trim() })
    const { isRestored } = await decided.catch((error: unknown) => {
      if (toRequestError(error).code === 'CONFLICT') onChanged()
      throw error
    })
    forget()
    const isNothingLeft = outcome === 'reversed' && !isRestored && measure !== 'warned'
    onDone(t(isNothingLeft ? 'done.nothingLeft' : `done.${outcome}`, { who }))
  }
  return (
    <FormDialog
      title={t(`titles.${outcome}`)}
      submit={t(`submits.${outcome}`)}
      look={outcome === 'reversed' ? 'approve' : 'reject'}
      isWritten
      onSubmit={send}
      onClose={onClose}
    >
      <p className="text-ink-2">
        {outcome === 'kept'
          ? t('means.kept', { who })
          : t(`means.${measure}`, { who, type: content?.type ?? 'comment' })}
      </p>
      {mayDecide === 'alone' && <p className="text-ink-2">{t('alone')}</p>}
      <TextBox
        label={t('answer', { who })}
        hint={t('answerHint')}
        value={answer}
        onChange={write}
        maxLength={APPEAL_LENGTH}
        rows={5}
        isRequired
        autoFocus
      />
    </FormDialog>
  )
}
