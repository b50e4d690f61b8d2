'use client'
import { type ReactNode, useState } from 'react'
import { ActForm } from '#components/kit/acts/act-form.tsx'

/** What an act without undo breaks, and what its button says. */
export interface Question {
  title: string
  /** What it is about, such as its name. */
  about?: string
  means: ReactNode
  submit: string
}

interface ConfirmDialogProps {
  question: Question
  /** Why it failed, in words. */
  failureOf: (error: unknown) => string | undefined
  /** Closes the dialog where it succeeds. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before an act that can't be undone. */
export function ConfirmDialog({ question, failureOf, onConfirm, onClose }: ConfirmDialogProps) {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function confirm(): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setFailure(failureOf(error))
      setPending(false)
    }
  }

  return (
    <ActForm
      title={question.title}
      submit={question.submit}
      look="reject"
      isPending={isPending}
      failure={failure}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {question.about !== undefined && (
        <p dir="auto" className="font-firm wrap-anywhere text-ink">
          {question.about}
        </p>
      )}
      <p>{question.means}</p>
    </ActForm>
  )
}
