'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { SanctionDialog, type SanctionTerms } from '#components/kit/sanctions/sanction-dialog.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { SanctionAuthorProps } from './sanction-author-props.ts'

/** Bans the author from the channel: for a day, unless another duration is selected. */
export function BanAuthorDialog({ message: { author, channel }, typed, onClose, onDone }: SanctionAuthorProps) {
  const t = useTranslations('messages')
  const members = useTranslations('members')
  const trpc = useTRPC()
  const banning = useMutation(trpc.bans.ban.mutationOptions())
  const unbanning = useMutation(trpc.bans.unban.mutationOptions())
  const { userId, displayName: who } = author
  const space = { scope: 'channel' as const, channelId: channel.channelId }

  async function ban({ minutes, reason, term }: SanctionTerms): Promise<void> {
    await banning.mutateAsync({ userId, space, minutes, ...(reason && { reason }) })
    onClose()
    onDone({
      words: t('done.banned', { who, channel: channel.displayName, term }),
      undo: () => unbanning.mutateAsync({ userId, space }),
    })
  }
  return (
    <SanctionDialog
      title={t('banTitle', { who, channel: channel.displayName })}
      submit={members('submit.ban')}
      draft={`ban ${userId}`}
      term="day"
      typed={typed}
      isPending={banning.isPending}
      error={banning.error}
      onSubmit={ban}
      onClose={onClose}
    />
  )
}
