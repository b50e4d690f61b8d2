'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { ReasonField } from '#components/kit/sanctions/reason-field.tsx'
import { useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { type ChosenTerm, TermChoice } from '#components/kit/sanctions/term-choice.tsx'
import { minutesOf, termOf } from '#components/kit/sanctions/terms.ts'
import { useBanErrorMessage } from '#components/kit/sanctions/use-ban-error-message.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { PersonDialogProps } from './person-dialog-props.ts'

const EVERYWHERE = { scope: 'network' } as const

/** Bans a person from the network: a digit selects the duration, Enter submits. */
export function BanDialog({ person, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('ban')
  const words = useTranslations('users')
  const trpc = useTRPC()
  const { zone } = useZone()
  const spaceName = useSpaceName()
  const errorMessageOf = useBanErrorMessage()
  const { userId } = person.user
  const [chosen, setChosen] = useState<ChosenTerm>({ term: undefined, lastDay: '' })
  const [asked, setAsked] = useState<string>()
  const [reason, write, forget] = useDraft(`ban ${userId}`, { typed: [] })
  const banning = useMutation(trpc.bans.ban.mutationOptions())
  const unbanning = useMutation(trpc.bans.unban.mutationOptions())

  async function send(): Promise<void> {
    const { term } = chosen
    const minutes = term && minutesOf({ ...chosen, term, now: new Date(), zone })
    if (minutes === undefined) return setAsked(t(term === 'until' ? 'chooseDay' : 'chooseTerm'))
    setAsked(undefined)
    await banning.mutateAsync({ userId, space: EVERYWHERE, minutes, reason: reason.trim() || undefined })
    forget()
    onClose()
    onDone({
      words: t('done', {
        author: nameOf(person.user),
        space: spaceName({ space: EVERYWHERE, displayName: '' }),
        term: t(`for.${term ?? 'forever'}`, { day: chosen.lastDay }),
      }),
      takeBack: () => unbanning.mutateAsync({ userId, space: EVERYWHERE }),
    })
  }

  return (
    <ActForm
      title={words('banTitle', { name: nameOf(person.user) })}
      submit={t('submit')}
      look="reject"
      isPending={banning.isPending}
      failure={asked ?? (banning.error ? errorMessageOf(banning.error) : undefined)}
      onKey={(key) => setChosen((before) => ({ ...before, term: termOf(key) ?? before.term }))}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <TermChoice chosen={chosen} onChange={setChosen} />
      <ReasonField reason={reason} onChange={write} />
    </ActForm>
  )
}
