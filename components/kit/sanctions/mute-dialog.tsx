'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { MuteChoice } from '#server/modules/spaces/sanctions/schema.ts'
import type { Done } from '../acts/done.ts'
import { restOfMute } from './rest-of-mute.ts'
import { SanctionDialog, type SanctionTerms } from './sanction-dialog.tsx'
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
      {isError ? (
        <p className="text-reject">{t('notRead')}</p>
      ) : (
        <Where choices={choices} chosenKey={chosenKey} onChoose={setChosenKey} />
      )}
    </SanctionDialog>
  )
}

interface WhereProps {
  choices: MuteChoice[] | undefined
  chosenKey: string | undefined
  onChoose: (chosenKey: string) => void
}

/** The spaces in which the moderator can mute the person. For existing mutes, until when. */
function Where({ choices, chosenKey, onChoose }: WhereProps) {
  const t = useTranslations('mute')
  const ban = useTranslations('ban')
  const spaceName = useSpaceName()
  const messageOf = useBanMessage()
  if (!choices) return <p className="text-ink-3">{t('readingSpaces')}</p>
  const chosen = choiceOf(choices, chosenKey)
  if (!chosen) return <p>{t('nowhere')}</p>
  return (
    <Choices
      legend={ban('where')}
      chosen={spaceKey(chosen.space)}
      onChoose={onChoose}
      choices={choices.map((choice) => ({
        id: spaceKey(choice.space),
        label: spaceName(choice),
        hint: choice.mute && t('mutedNow', { until: messageOf(choice.mute).until }),
      }))}
    />
  )
}

/** The selected space; else the first in which the person isn't muted. */
function choiceOf(choices: MuteChoice[], chosenKey: string | undefined): MuteChoice | undefined {
  return choices.find(({ space }) => spaceKey(space) === chosenKey) ?? choices.find(({ mute }) => !mute) ?? choices[0]
}
