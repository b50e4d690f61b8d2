'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { MuteChoice } from '#server/modules/spaces/sanctions/schema.ts'
import type { Done } from '../acts/done.ts'
import { restOfMute } from './rest-of-mute.ts'
import { SanctionDialog, type SanctionTerms } from './sanction-dialog.tsx'
import { SpaceChoices } from './space-choices.tsx'
import { spaceKey, useSpaceName } from './space-name.ts'
import { useBanMessage } from './use-ban-message.ts'

interface MuteDialogProps {
  person: { userId: string; displayName: string }
  /** Where the moderator came across the person; absent: in any of their spaces. */
  foundIn?: { communityId?: string | undefined; channelId?: string | undefined }
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  onClose: () => void
  onDone: (done: Done) => void
}

/** Mutes a person: a digit selects the duration, Enter submits. Undo mutes as before, or not at all. */
export function MuteDialog({ person, foundIn = {}, typed, onClose, onDone }: MuteDialogProps) {
  const t = useTranslations('mute')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const spaceName = useSpaceName()
  const messageOf = useBanMessage()
  const muting = useMutation(trpc.members.mute.mutationOptions())
  const [chosenKey, setChosenKey] = useState<string>()
  const { userId, displayName: who } = person
  const options = trpc.bans.muteChoices.queryOptions({ userId, ...foundIn })
  const { data: choices, isError } = useQuery({ ...options, staleTime: 0 })

  async function mute({ terms, term }: SanctionTerms): Promise<void> {
    // The spaces may still be loading if the keys were faster.
    const choice = choiceOf(choices ?? (await queryClient.fetchQuery(options)), chosenKey)
    // The dialog says that there is nowhere to mute, and keeps what was written.
    if (choice === undefined) throw new Error('There is no space to mute in')
    const { space, mute } = choice
    const before = mute ? restOfMute(mute) : { minutes: 0 }
    await muting.mutateAsync({ space, userIds: [userId], ...terms })
    onClose()
    onDone({
      words: t('done', { who, space: spaceName(choice), term }),
      undo: () => muting.mutateAsync({ space, userIds: [userId], ...before }),
    })
  }
  return (
    <SanctionDialog
      title={t('title', { who })}
      submit={t('submit')}
      draft={`mute ${userId}`}
      typed={typed}
      isPending={muting.isPending}
      error={muting.error}
      onSubmit={mute}
      onClose={onClose}
    >
      <p className="text-small">{t('means')}</p>
      <SpaceChoices
        choices={choices}
        chosen={choices && choiceOf(choices, chosenKey)}
        isError={isError}
        words={t}
        hintOf={({ mute }) => mute && t('mutedNow', { until: messageOf(mute).until })}
        onChoose={setChosenKey}
      />
    </SanctionDialog>
  )
}

/** The selected space; else the first in which the person isn't muted. */
function choiceOf(choices: MuteChoice[], chosenKey: string | undefined): MuteChoice | undefined {
  return choices.find(({ space }) => spaceKey(space) === chosenKey) ?? choices.find(({ mute }) => !mute) ?? choices[0]
}
