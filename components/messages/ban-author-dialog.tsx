'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RemovalFields } from '#components/kit/removal/removal-fields.tsx'
import { useRemoval } from '#components/kit/removal/use-removal.ts'
import { LastModeratorWarning } from '#components/kit/sanctions/last-moderator-warning.tsx'
import { SanctionDialog, type SanctionTerms } from '#components/kit/sanctions/sanction-dialog.tsx'
import { useBanWords } from '#components/kit/sanctions/use-ban-words.ts'
import type { SanctionAuthorProps } from './sanction-author-props.ts'

/** Bans the author from the channel, for a day unless another duration is selected, and removes what they wrote if asked to. */
export function BanAuthorDialog({ message: { author, channel }, typed, onClose, onDone }: SanctionAuthorProps) {
  const t = useTranslations('messages')
  const banWords = useBanWords()
  const { userId, displayName: who } = author
  const space = { scope: 'channel' as const, channelId: channel.channelId }
  const removal = useRemoval({ userId, author: who, home: space, isEverywhere: false, typed })
  const banning = useMutation({ mutationFn: removal.ban })

  async function ban({ terms, term }: SanctionTerms): Promise<void> {
    const banned = await banning.mutateAsync({ userId, space, ...terms })
    onClose()
    const said = t('done.banned', { who, channel: channel.displayName, term })
    onDone({
      words: banWords(banned.removal ? `${said} ${banned.removal.words}` : said, banned),
      undo: banned.undo,
    })
  }
  return (
    <SanctionDialog
      title={t('banTitle', { who, channel: channel.displayName })}
      submit={removal.submit}
      draft={`ban ${userId}`}
      term="day"
      typed={typed}
      isPending={banning.isPending}
      error={banning.error}
      onKey={removal.onKey}
      onSubmit={ban}
      onClose={onClose}
      after={<RemovalFields removal={removal} front="none" homeName={channel.displayName} />}
    >
      <LastModeratorWarning space={space} userIds={[userId]} />
    </SanctionDialog>
  )
}
