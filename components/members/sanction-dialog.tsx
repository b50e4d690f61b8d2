'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonField } from '#components/bans/reason-field.tsx'
import { type ChosenTerm, TermChoice } from '#components/bans/term-choice.tsx'
import { minutesOf, termOf } from '#components/bans/terms.ts'
import { useBanErrorMessage } from '#components/bans/use-ban-error-message.ts'
import { ActForm } from '#components/queue/acts/act-form.tsx'
import { useDraft } from '#components/queue/acts/use-draft.ts'
import { useZone } from '#components/shell/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { DeskMember } from '#server/modules/places/schema.ts'
import type { MemberDialogProps } from './use-member-acts.tsx'

/** Bans those who are chosen: a digit for how long, then Enter. Taken back, they are members again, with their roles. */
export function BanMembersDialog({ place, members, onClose, onDone }: MemberDialogProps) {
  const t = useTranslations('members')
  const trpc = useTRPC()
  const banning = useMutation(trpc.members.ban.mutationOptions())
  const puttingBack = useMutation(trpc.members.putBack.mutationOptions())
  const userIds = members.map(({ userId }) => userId)

  async function ban({ minutes, reason, term }: SanctionTerms): Promise<void> {
    await banning.mutateAsync({ place, userIds, minutes, ...(reason && { reason }) })
    onClose()
    onDone({
      words: t('done.ban', { count: members.length, who: nameOf(members), term }),
      takeBack: () =>
        puttingBack.mutateAsync({
          place,
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
      isPending={banning.isPending}
      error={banning.error}
      onSubmit={ban}
      onClose={onClose}
    />
  )
}

export function MuteMembersDialog({ place, members, onClose, onDone }: MemberDialogProps) {
  const t = useTranslations('members')
  const muting = useMutation(useTRPC().members.mute.mutationOptions())
  const userIds = members.map(({ userId }) => userId)
  if (place.scope !== 'channel') return null
  const { channelId } = place

  async function mute({ minutes, reason, term }: SanctionTerms): Promise<void> {
    await muting.mutateAsync({ channelId, userIds, minutes, ...(reason && { reason }) })
    onClose()
    onDone({
      words: t('done.mute', { count: members.length, who: nameOf(members), term }),
      takeBack: () => muting.mutateAsync({ channelId, userIds, minutes: 0 }),
    })
  }
  return (
    <SanctionDialog
      title={t('muteTitle', { count: members.length, who: nameOf(members) })}
      submit={t('submit.mute')}
      draft={`mute ${userIds.join(' ')}`}
      isPending={muting.isPending}
      error={muting.error}
      onSubmit={mute}
      onClose={onClose}
    >
      <p className="text-small">{t('muteMeans')}</p>
    </SanctionDialog>
  )
}

export interface SanctionTerms {
  minutes: number | null
  reason: string
  /** For how long, in words. */
  term: string
}

interface SanctionDialogProps {
  title: string
  submit: string
  /** Under which name what was written is kept. */
  draft: string
  /** Chosen already: then Enter alone will do. */
  term?: ChosenTerm['term']
  isPending: boolean
  error: unknown
  onSubmit: (measured: SanctionTerms) => Promise<void>
  onClose: () => void
  children?: ReactNode
}

/** For how long, and why. */
export function SanctionDialog({ draft, term, error, onSubmit, children, ...form }: SanctionDialogProps) {
  const t = useTranslations('ban')
  const { zone } = useZone()
  const errorMessageOf = useBanErrorMessage()
  const [chosen, setChosen] = useState<ChosenTerm>({ term, lastDay: '' })
  const [asked, setAsked] = useState<string>()
  const [reason, write, forget] = useDraft(draft, { typed: [] })

  async function send(): Promise<void> {
    const minutes = chosen.term && minutesOf({ ...chosen, term: chosen.term, now: new Date(), zone })
    if (minutes === undefined) return setAsked(t(chosen.term === 'until' ? 'chooseDay' : 'chooseTerm'))
    setAsked(undefined)
    await onSubmit({
      minutes,
      reason: reason.trim(),
      term: t(`for.${chosen.term ?? 'forever'}`, { day: chosen.lastDay }),
    })
    forget()
  }
  return (
    <ActForm
      {...form}
      look="reject"
      failure={asked ?? (error ? errorMessageOf(error) : undefined)}
      onKey={(key) => setChosen((before) => ({ ...before, term: termOf(key) ?? before.term }))}
      onSubmit={() => void send().catch(() => undefined)}
    >
      {children}
      <TermChoice chosen={chosen} onChange={setChosen} />
      <ReasonField reason={reason} onChange={write} />
    </ActForm>
  )
}

function nameOf(members: DeskMember[]): string {
  return members[0]?.displayName ?? ''
}
