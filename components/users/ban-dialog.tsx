'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { nameOf } from '#components/kit/people/name-of.ts'
import { LastModeratorWarning } from '#components/kit/sanctions/last-moderator-warning.tsx'
import { SanctionDialog, type SanctionTerms } from '#components/kit/sanctions/sanction-dialog.tsx'
import { useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { useBanWords } from '#components/kit/sanctions/use-ban-words.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { PersonDialogProps } from './person-dialog-props.ts'

const EVERYWHERE = { scope: 'network' } as const

/** Bans a person from the network: a digit selects the duration, Enter submits. */
export function BanDialog({ person, typed, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('ban')
  const users = useTranslations('users')
  const trpc = useTRPC()
  const spaceName = useSpaceName()
  const banWords = useBanWords()
  const banning = useMutation(trpc.bans.ban.mutationOptions())
  const unbanning = useMutation(trpc.bans.unban.mutationOptions())
  const { userId } = person.user
  const author = nameOf(person.user)

  async function ban({ terms, term }: SanctionTerms): Promise<void> {
    const banned = await banning.mutateAsync({ userId, space: EVERYWHERE, ...terms })
    onClose()
    onDone({
      words: banWords(t('done', { author, space: spaceName({ space: EVERYWHERE, displayName: '' }), term }), banned),
      undo: () => unbanning.mutateAsync({ userId, space: EVERYWHERE }),
    })
  }
  return (
    <SanctionDialog
      title={users('banTitle', { name: author })}
      submit={t('submit')}
      draft={`ban ${userId}`}
      typed={typed}
      isPending={banning.isPending}
      error={banning.error}
      onSubmit={ban}
      onClose={onClose}
    >
      <LastModeratorWarning space={EVERYWHERE} userIds={[userId]} />
    </SanctionDialog>
  )
}
