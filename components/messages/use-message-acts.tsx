'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { useLazyDialog } from '#components/kit/acts/use-lazy-dialog.ts'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { DeskMessage } from '#server/modules/desk/messages/schema.ts'

const DIALOGS = {
  ban: lazyPart(() => import('./ban-author-dialog.tsx').then(({ BanAuthorDialog }) => BanAuthorDialog)),
  mute: lazyPart(() => import('./mute-author-dialog.tsx').then(({ MuteAuthorDialog }) => MuteAuthorDialog)),
}

/** Acts on a message and its author, with a time-limited undo. */
export function useMessageActs(current: DeskMessage | undefined) {
  const t = useTranslations('messages')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const { last, done, undo, dismiss } = useLastAct()
  const { opened, open, close } = useLazyDialog<{ act: keyof typeof DIALOGS; message: DeskMessage }>()
  const sanction = (act: keyof typeof DIALOGS, message: DeskMessage) => open(DIALOGS[act], { act, message })
  const Dialog = opened && DIALOGS[opened.act]

  const readAgain = () => queryClient.invalidateQueries(trpc.messages.pathFilter())

  function doneAndRead({ words, undo }: Done): void {
    const undoAndRead = undo && (() => undo().finally(readAgain))
    done({ words, ...(undoAndRead && { undo: undoAndRead }) })
    void readAgain()
  }

  async function perform(act: () => Promise<Done>): Promise<void> {
    try {
      doneAndRead(await act())
    } catch (error) {
      announce(errorMessageOf(error) ?? '')
      void readAgain()
    }
  }

  const remove = ({ messageId, author }: DeskMessage) =>
    void perform(async () => {
      await client.messages.delete.mutate({ messageId })
      return {
        words: t('done.deleted', { who: author.displayName }),
        undo: () => client.messages.bringBack.mutate({ messageId }),
      }
    })

  const clearFlags = ({ messageId, author, reportVersion }: DeskMessage) =>
    void perform(async () => {
      const { decisionId } = await client.review.decide.mutate({
        subjectType: 'message',
        subjectId: messageId,
        outcome: 'dismissed',
        version: reportVersion ?? 1,
      })
      return {
        words: t('done.cleared', { who: author.displayName }),
        undo: () => client.review.undo.mutate({ decisionId }),
      }
    })

  return {
    remove,
    clearFlags,
    sanction,
    isOpen: opened !== undefined,
    keys: {
      ...(current?.may.ban && { ban: () => sanction('ban', current) }),
      ...(current?.may.mute && { mute: () => sanction('mute', current) }),
      ...(last?.undo && { takeBack: () => undo(last) }),
    },
    dialog: Dialog && <Dialog message={opened.message} typed={opened.typed} onClose={close} onDone={doneAndRead} />,
    last,
    undo,
    dismiss,
  }
}
export type MessageActs = ReturnType<typeof useMessageActs>
