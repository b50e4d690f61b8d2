'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { LastModeratorWarning } from '#components/kit/sanctions/last-moderator-warning.tsx'
import { SanctionDialog, type SanctionTerms } from '#components/kit/sanctions/sanction-dialog.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { DeskMember } from '#server/modules/desk/spaces/schema.ts'
import type { MemberDialogProps } from './member-dialog-props.ts'

/** Bans the selected members: a digit selects the duration, Enter submits. Undo makes them members again, with their roles. */
export function BanMembersDialog({ space, members, typed, onClose, onDone }: MemberDialogProps) {
  const t = useTranslations('members')
  const trpc = useTRPC()
  const banning = useMutation(trpc.members.ban.mutationOptions())
  const puttingBack = useMutation(trpc.members.putBack.mutationOptions())
  const userIds = members.map(({ userId }) => userId)

  async function ban({ terms, term }: SanctionTerms): Promise<void> {
    const { isWithoutModerator } = await banning.mutateAsync({ space, userIds, ...terms })
    onClose()
    const words = t('done.ban', { count: members.length, who: nameOf(members), term })
    onDone({
      words: isWithoutModerator ? `${words} ${t('noModerator')}` : words,
      undo: () =>
        puttingBack.mutateAsync({
          space,
          areBanned: true,
          members: members.map(({ userId, roles }) => ({ userId, roles })),
        }),
    })
  }
  return (
    <SanctionDialog
      title={t('banTitle', { count: members.length, who: nameOf(members) })}
      submit={t('submit.ban')}
      draft={`ban ${userIds.join(' ')}`}
      typed={typed}
      isPending={banning.isPending}
      error={banning.error}
      onSubmit={ban}
      onClose={onClose}
    >
      <LastModeratorWarning space={space} userIds={userIds} />
    </SanctionDialog>
  )
}

export function MuteMembersDialog({ space, members, typed, onClose, onDone }: MemberDialogProps) {
  const t = useTranslations('members')
  const muting = useMutation(useTRPC().members.mute.mutationOptions())
  const userIds = members.map(({ userId }) => userId)

  async function mute({ terms, term }: SanctionTerms): Promise<void> {
    await muting.mutateAsync({ space, userIds, ...terms })
    onClose()
    onDone({
      words: t('done.mute', { count: members.length, who: nameOf(members), term }),
      undo: () => muting.mutateAsync({ space, userIds, minutes: 0 }),
    })
  }
  return (
    <SanctionDialog
      title={t('muteTitle', { count: members.length, who: nameOf(members) })}
      submit={t('submit.mute')}
      draft={`mute ${userIds.join(' ')}`}
      typed={typed}
      isPending={muting.isPending}
      error={muting.error}
      onSubmit={mute}
      onClose={onClose}
    >
      <p className="text-small">{t('muteMeans')}</p>
    </SanctionDialog>
  )
}

function nameOf(members: DeskMember[]): string {
  return members[0]?.displayName ?? ''
}
