'use client'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import type { Done } from '#components/kit/acts/done.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { useSend } from '#components/trpc/use-send.ts'
import { type Question, useDialogs } from './use-dialogs.tsx'

/** Runs the acts of a settings page: announces each, refetches, and offers undo for a while, or asks before those that have none. */
export function useSettingsActs(
  readAgain: () => Promise<unknown>,
  ownErrorMessageOf?: ReturnType<typeof useErrorMessage>,
) {
  const usualErrorMessageOf = useErrorMessage()
  const errorMessageOf = ownErrorMessageOf ?? usualErrorMessageOf
  const { last, done, undo, dismiss } = useLastAct()
  const { open, confirm, dialog } = useDialogs(errorMessageOf)
  const send = useSend({ mutationFn: (act: () => Promise<unknown>) => act() })
  useActs(last?.undo ? { takeBack: () => undo(last) } : {})

  function doneAndRead({ words, undo }: Done): void {
    done({ words, ...(undo && { undo: () => send(undo).finally(readAgain) }) })
    void readAgain()
  }

  /** Runs an act, and announces the reason if it fails. */
  async function run(act: () => Promise<unknown>, done: Done): Promise<void> {
    try {
      await send(act)
      doneAndRead(done)
    } catch (error) {
      doneAndRead({ words: errorMessageOf(error) ?? '' })
    }
  }

  const toast = (
    <>
      <div className="pointer-events-none sticky bottom-0 z-3 ms-auto w-fit max-w-115 p-2 *:pointer-events-auto max-[900px]:max-w-76">
        <ActToast last={last} onUndo={undo} onDismiss={dismiss} />
      </div>
      {dialog}
    </>
  )
  return {
    run: (act: () => Promise<unknown>, done: Done) => void run(act, done),
    /** Asks first: for an act without undo. */
    confirm: (question: Question, act: () => Promise<unknown>, done: Done) =>
      confirm(question, () => act().then(() => doneAndRead(done))),
    /** Opens a dialog. */
    open,
    done: doneAndRead,
    /** To be rendered by the page, with what is open. */
    toast,
  }
}

export type SettingsActs = ReturnType<typeof useSettingsActs>
