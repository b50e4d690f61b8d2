'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { PolicyField } from '#components/kit/policies/policy-field.tsx'
import { RemovalFields } from '#components/kit/removal/removal-fields.tsx'
import { LastModeratorWarning } from '#components/kit/sanctions/last-moderator-warning.tsx'
import { LiftButton } from '#components/kit/sanctions/lift-button.tsx'
import { ReasonField } from '#components/kit/sanctions/reason-field.tsx'
import { spaceKey, useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { type ChosenTerm, TermChoice } from '#components/kit/sanctions/term-choice.tsx'
import { termIn, termOf } from '#components/kit/sanctions/terms.ts'
import { useBanMessage } from '#components/kit/sanctions/use-ban-message.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { ActDialogProps } from '../desk-acts.ts'
import { useBan } from './use-ban.ts'
import { useLifted } from './use-lifted.ts'

/** Bans the author: a digit selects the duration, Enter submits. Space, reason and what is removed with it can be changed. */
export function BanDialog({ item, typed, onClose, words }: ActDialogProps) {
  const t = useTranslations('ban')
  const [chosenTerm, chooseTerm] = useState<ChosenTerm>(() => ({
    term: termIn(typed),
    lastDay: '',
  }))
  const [chosenKey, setChosenKey] = useState<string>()
  const [policyId, setPolicyId] = useState<string>()
  const [reason, write, forget] = useDraft(`ban ${item.author.userId}`, { words, typed: [] })
  const ban = useBan(item, { ...chosenTerm, chosenKey, reason, policyId, typed }, () => {
    forget()
    onClose()
  })
  const { removal } = ban

  const submitEarly = useEffectEvent(() => {
    if (typed.includes('Enter')) ban.submit()
  })
  useEffect(() => submitEarly(), [])

  return (
    <ActForm
      title={t('title', { author: item.author.displayName })}
      submit={removal.submit}
      look="reject"
      isPending={ban.isPending}
      failure={ban.failure}
      onKey={(key) => {
        chooseTerm((before) => ({ ...before, term: termOf(key) ?? before.term }))
        removal.onKey(key)
      }}
      onSubmit={ban.submit}
      onClose={onClose}
    >
      <TermChoice chosen={chosenTerm} onChange={chooseTerm} />
      <Where ban={ban} userId={item.author.userId} onChoose={setChosenKey} onLifted={onClose} />
      <PolicyField policyId={policyId} onChange={setPolicyId} />
      <ReasonField reason={reason} onChange={write} />
      <RemovalFields
        removal={removal}
        front={ban.withThis ? 'rejected' : 'kept'}
        homeName={(item.community ?? item.channel)?.displayName}
      />
    </ActForm>
  )
}

interface WhereProps {
  ban: ReturnType<typeof useBan>
  userId: string
  onChoose: (chosenKey: string) => void
  onLifted: () => void
}

/** The spaces the moderator can ban from. For existing bans, until when and by whom. */
function Where({ ban: { choices, chosen }, userId, onChoose, onLifted }: WhereProps) {
  const t = useTranslations('ban')
  const spaceName = useSpaceName()
  const banWords = useBanMessage()
  const lifted = useLifted()
  if (!choices) return <p className="min-h-24 text-ink-3">{t('readingSpaces')}</p>
  if (!chosen) return <p>{t('nowhere')}</p>
  return (
    <div>
      <Choices
        legend={t('where')}
        chosen={spaceKey(chosen.space)}
        onChoose={onChoose}
        choices={choices.map((choice) => ({
          id: spaceKey(choice.space),
          label: spaceName(choice),
          hint: choice.ban && t('bannedNow', { until: banWords(choice.ban).until }),
        }))}
      />
      {chosen.ban && (
        <p className="mt-1 flex flex-wrap items-center gap-2 rounded-2 bg-sunken px-2.5 py-1.5 text-small">
          <span className="min-w-0 flex-1 wrap-anywhere">{banWords(chosen.ban).who ?? t('noRecord')}</span>
          <LiftButton
            userId={userId}
            space={chosen.space}
            spaceName={spaceName(chosen)}
            onLifted={(act) => {
              onLifted()
              lifted(act)
            }}
          />
        </p>
      )}
      {!chosen.ban && <LastModeratorWarning space={chosen.space} userIds={[userId]} />}
    </div>
  )
}
