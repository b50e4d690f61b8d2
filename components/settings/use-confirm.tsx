'use client'
import { useState } from 'react'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Question } from './confirm-dialog.tsx'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx').then(({ ConfirmDialog }) => ConfirmDialog), {
  onFailed: ({ onClose }) => onClose(),
})

interface Asked {
  question: Question
  act: () => Promise<unknown>
}

/** Asks before an act that can't be undone; its dialog is to be rendered by the page. */
export function useConfirm(ownErrorMessageOf?: ReturnType<typeof useErrorMessage>) {
  const usualErrorMessageOf = useErrorMessage()
  const [asked, setAsked] = useState<Asked>()
  return {
    confirm: (question: Question, act: () => Promise<unknown>) => setAsked({ question, act }),
    dialog: asked && (
      <ConfirmDialog
        question={asked.question}
        failureOf={ownErrorMessageOf ?? usualErrorMessageOf}
        onConfirm={asked.act}
        onClose={() => setAsked(undefined)}
      />
    ),
  }
}
