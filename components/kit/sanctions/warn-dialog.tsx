'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import { WARNING_LENGTH } from '#server/modules/network/policies/schema.ts'
import type { WarnInput } from '#server/modules/spaces/warnings/schema.ts'
import { ActForm } from '../acts/act-form.tsx'
import type { Done } from '../acts/done.ts'
import { useDraft } from '../acts/use-draft.ts'
import { useErrorMessage } from '../acts/use-error-message.ts'
import { PolicyField } from '../policies/policy-field.tsx'
import { SpaceChoices } from './space-choices.tsx'
import { spaceKey, useSpaceName } from './space-name.ts'

interface WarnDialogProps {
  person: { userId: string; displayName: string }
  /** Where the moderator came across the person; absent: in any of their communities. */
  communityId?: string | undefined
  /** What they wrote there. */
  about?: WarnInput['about']
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  onClose: () => void
  onDone: (done: Done) => void
}

/** Warns a person, for a policy or in one's own words. Undo voids it before they can read it. */
export function WarnDialog({
  person: { userId, displayName: who },
  communityId,
  about,
  typed,
  onClose,
  onDone,
}: WarnDialogProps) {
  const t = useTranslations('warning')
  const { warnings } = useTRPC()
  const queryClient = useQueryClient()
  const spaceName = useSpaceName()
  const errorMessageOf = useErrorMessage()
  const warning = useMutation(warnings.warn.mutationOptions())
  const undoing = useMutation(warnings.undo.mutationOptions())
  const [chosenKey, setChosenKey] = useState<string>()
  const [policyId, setPolicyId] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const [words, write, forget] = useDraft(`warning ${userId}`, { typed })
  const options = warnings.choices.queryOptions({ userId, ...(communityId !== undefined && { communityId }) })
  const { data: choices, isError } = useQuery({ ...options, staleTime: 0 })
  const choiceOf = (places: typeof choices) => places?.find(({ space }) => spaceKey(space) === chosenKey) ?? places?.[0]

  async function send(): Promise<void> {
    const said = words.trim()
    const isEmpty = said === '' && policyId === undefined
    setMissing(isEmpty)
    if (isEmpty) return
    // The places may still be loading if the keys were faster. Without one, the dialog says so and keeps what was written.
    const choice = choiceOf(choices ?? (await queryClient.fetchQuery(options)))
    if (!choice) return
    const made = await warning.mutateAsync({
      userId,
      space: choice.space,
      ...(said !== '' && { words: said }),
      ...(policyId !== undefined && { policyId }),
      ...(about && { about }),
    })
    forget()
    onClose()
    onDone({ words: t('done', { who, space: spaceName(choice) }), undo: () => undoing.mutateAsync(made) })
  }
  return (
    <ActForm
      title={t('title', { who })}
      submit={t('submit')}
      look="primary"
      isWritten
      typed={typed}
      isPending={warning.isPending}
      failure={isMissing ? t('missing') : errorMessageOf(warning.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <p className="text-ink-2">{t('means', { who })}</p>
      <SpaceChoices
        choices={choices}
        chosen={choiceOf(choices)}
        isError={isError}
        words={t}
        hintOf={() => undefined}
        onChoose={setChosenKey}
      />
      <PolicyField policyId={policyId} onChange={setPolicyId} />
      <TextBox
        label={t('words', { who })}
        hint={t('hint')}
        value={words}
        onChange={(text) => {
          setMissing(false)
          write(text)
        }}
        maxLength={WARNING_LENGTH}
        rows={4}
        autoFocus
      />
    </ActForm>
  )
}
