'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { nameOf } from '#components/kit/people/name-of.ts'
import { RemovalFields } from '#components/kit/removal/removal-fields.tsx'
import { useRemoval } from '#components/kit/removal/use-removal.ts'
import { LastModeratorWarning } from '#components/kit/sanctions/last-moderator-warning.tsx'
import { SanctionDialog, type SanctionTerms } from '#components/kit/sanctions/sanction-dialog.tsx'
import { useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { useBanWords } from '#components/kit/sanctions/use-ban-words.ts'
import type { PersonDialogProps } from './person-dialog-props.ts'

const EVERYWHERE = { scope: 'network' } as const

/** Bans a person from the network, and removes what they wrote if asked to: a digit selects the duration, Enter submits. */
export function BanDialog({ person, typed, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('ban')
  const users = useTranslations('users')
  const spaceName = useSpaceName()
  const banWords = useBanWords()
  const { userId } = person.user
  const author = nameOf(person.user)
  const removal = useRemoval({ userId, author, isEverywhere: true, typed })
  const banning = useMutation({ mutationFn: removal.ban })

  async function ban({ terms, term }: SanctionTerms): Promise<void> {
    const banned = await banning.mutateAsync({ userId, space: EVERYWHERE, ...terms })
    onClose()
    const said = t('done', { author, space: spaceName({ space: EVERYWHERE, displayName: '' }), term })
    const words = banned.removal ? `${said} ${banned.removal.words}` : said
    onDone({ words: banWords(words, banned), undo: banned.undo })
  }
  return (
    <SanctionDialog
      title={users('banTitle', { name: author })}
      submit={removal.submit}
      draft={`ban ${userId}`}
      typed={typed}
      isPending={banning.isPending}
      error={banning.error}
      onKey={removal.onKey}
      onSubmit={ban}
      onClose={onClose}
      after={<RemovalFields removal={removal} front="none" />}
    >
      <LastModeratorWarning space={EVERYWHERE} userIds={[userId]} />
    </SanctionDialog>
  )
}
