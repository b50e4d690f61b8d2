'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { LastModeratorWarning } from '#components/kit/sanctions/last-moderator-warning.tsx'
import { SanctionDialog, type SanctionTerms } from '#components/kit/sanctions/sanction-dialog.tsx'
import { useBanWords } from '#components/kit/sanctions/use-ban-words.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { SanctionAuthorProps } from './sanction-author-props.ts'

/** Bans the author from the channel: for a day, unless another duration is selected. */
export function BanAuthorDialog({ message: { author, channel }, typed, onClose, onDone }: SanctionAuthorProps) {
  const t = useTranslations('messages')
  const members = useTranslations('members')
  const trpc = useTRPC()
  const banWords = useBanWords()
  const banning = useMutation(trpc.bans.ban.mutationOptions())
  const unbanning = useMutation(trpc.bans.unban.mutationOptions())
  const { userId, displayName: who } = author
  const space = { scope: 'channel' as const, channelId: channel.channelId }

  async function ban({ terms, term }: SanctionTerms): Promise<void> {
    const banned = await banning.mutateAsync({ userId, space, ...terms })
    onClose()
    onDone({
      words: banWords(t('done.banned', { who, channel: channel.displayName, term }), banned),
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
    >
      <LastModeratorWarning space={space} userIds={[userId]} />
    </SanctionDialog>
  )
}
