'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { TreatmentChoice, TreatmentKind } from '#server/modules/spaces/author-treatments/schema.ts'
import type { Done } from '../acts/done.ts'
import { useTimes } from '../times/use-times.ts'
import { restOfTreatment } from './rest-of-treatment.ts'
import { SanctionDialog, type SanctionTerms } from './sanction-dialog.tsx'
import { SpaceChoices } from './space-choices.tsx'
import { spaceKey, useSpaceName } from './space-name.ts'
import { useBanMessage } from './use-ban-message.ts'

interface TreatmentDialogProps {
  person: { userId: string; displayName: string }
  /** Where the moderator came across the person; absent: in any of their communities. */
  communityId?: string | undefined
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  onClose: () => void
  onDone: (done: Done) => void
}

/** Trusts a person, or has all that they write held: a digit selects the duration, Enter submits. Undo restores what was in force before. */
export function TreatmentDialog({ person, communityId, typed, onClose, onDone }: TreatmentDialogProps) {
  const t = useTranslations('treatment')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const spaceName = useSpaceName()
  const messageOf = useBanMessage()
  const setting = useMutation(trpc.authorTreatments.set.mutationOptions())
  const ending = useMutation(trpc.authorTreatments.end.mutationOptions())
  const conflictOf = useConflict()
  const [kind, setKind] = useState<TreatmentKind>('trust')
  const [chosenKey, setChosenKey] = useState<string>()
  const { userId, displayName: who } = person
  const options = trpc.authorTreatments.choices.queryOptions({
    userId,
    ...(communityId !== undefined && { communityId }),
  })
  const { data: choices, isError, refetch } = useQuery({ ...options, staleTime: 0 })

  async function set({ terms: { minutes, reason }, term }: SanctionTerms): Promise<void> {
    // The places may still be loading if the keys were faster.
    const choice = choiceOf(choices ?? (await queryClient.fetchQuery(options)), chosenKey)
    // The dialog says that there is nowhere to set it, and keeps what was written.
    if (choice === undefined) throw new Error('There is no place to set it')
    const { space, treatment: before } = choice
    const terms = { userId, space, kind, minutes, ...(reason && { reason }) }
    const made = setting.mutateAsync({ ...terms, seen: before?.treatmentId ?? null })
    // What is in force now is what the next attempt replaces.
    const { treatmentId } = await made.catch((error) => refetch().then(() => Promise.reject(error)))
    onClose()
    onDone({
      words: t(`done.${kind}`, { who, space: spaceName(choice), term }),
      undo: () =>
        before
          ? setting.mutateAsync({ userId, space, ...restOfTreatment(before), seen: treatmentId })
          : ending.mutateAsync({ treatmentId }),
    })
  }
  return (
    <SanctionDialog
      title={t('title', { who })}
      submit={t(`submit.${kind}`)}
      look="primary"
      hasPolicy={false}
      draft={`treatment ${userId}`}
      typed={typed}
      isPending={setting.isPending}
      error={setting.error}
      failure={conflictOf(setting.error)}
      onSubmit={set}
      onClose={onClose}
    >
      <Choices
        legend={t('what', { who })}
        chosen={kind}
        onChoose={setKind}
        choices={KINDS.map((id) => ({ id, label: t(`kinds.${id}`), hint: t(`means.${id}`) }))}
      />
      <SpaceChoices
        choices={choices}
        chosen={choices && choiceOf(choices, chosenKey)}
        isError={isError}
        words={t}
        hintOf={({ treatment }) => treatment && t(`now.${treatment.kind}`, { until: messageOf(treatment).until })}
        onChoose={setChosenKey}
      />
    </SanctionDialog>
  )
}

const KINDS = ['trust', 'hold'] as const satisfies TreatmentKind[]

function choiceOf(choices: TreatmentChoice[], chosenKey: string | undefined): TreatmentChoice | undefined {
  return choices.find(({ space }) => spaceKey(space) === chosenKey) ?? choices[0]
}

/** Who was first, where somebody else has changed it. */
function useConflict(): (error: unknown) => string | undefined {
  const t = useTranslations('treatment')
  const times = useTimes()
  return (error) => {
    const { code, facts = {} } = toRequestError(error)
    if (code !== 'CONFLICT' || !('decidedBy' in facts) || !('decidedAt' in facts)) return undefined
    return t('changed', { who: String(facts.decidedBy), time: times.brief(String(facts.decidedAt)) })
  }
}
