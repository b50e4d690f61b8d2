'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { subjectOf } from '#components/kit/bulks/to-seen.ts'
import { PolicyField } from '#components/kit/policies/policy-field.tsx'
import { ReasonField } from '#components/kit/sanctions/reason-field.tsx'
import { type ChosenTerm, TermChoice } from '#components/kit/sanctions/term-choice.tsx'
import { minutesOf } from '#components/kit/sanctions/terms.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { SanctionForecast, SeenItem, StartBulk } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { BanScope, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'
import { RefusedAccounts } from './refused-accounts.tsx'

interface Authors {
  bulkId: string
  /** What will be rejected. */
  items: SeenItem[]
  /** What the person left out: the author of one of these is spared. Undefined where bans and mutes aren't offered. */
  except: Subject[] | undefined
}

/** One of them for the authors of one bulk action. */
const SANCTIONS = ['ban', 'mute'] as const satisfies SanctionKind[]

/** Bans or mutes of the authors of what is rejected: the fields, and what is sent with them. */
export function useSanctionAuthors({ bulkId, items, except }: Authors) {
  const ban = useTranslations('ban')
  const client = useTRPCClient()
  const { zone } = useZone()
  const combos = { ban: useCombo('ban'), mute: useCombo('mute') }
  const [asked, ask] = useState<SanctionKind>()
  const [chosenTerm, chooseTerm] = useState<ChosenTerm>({ term: undefined, lastDay: '' })
  const [chosenScope, chooseScope] = useState<BanScope>()
  const [reason, write, forget] = useDraft('ban many', { typed: [] })
  const [policyId, setPolicyId] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const spared = (except ?? []).map(subjectOf)
  const { data: forecasts = [] } = useQuery({
    queryKey: ['bulk sanctions', bulkId],
    queryFn: () => client.bulk.previewSanctions.mutate({ items: items.map(subjectOf), except: spared }),
    enabled: except !== undefined && items.length > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const forecastsOf = (kind: SanctionKind) => forecasts.filter(({ sanction }) => sanction === kind)
  const offered = SANCTIONS.flatMap((kind) => forecastOf(forecastsOf(kind), chosenScope) ?? [])
  const chosen = offered.find(({ sanction }) => sanction === asked)

  /** What to send; `failed` if the person has to choose something first. */
  function read(): Pick<StartBulk, 'sanction'> | 'failed' {
    setFailure(undefined)
    if (!chosen) return {}
    const { term, lastDay } = chosenTerm
    const minutes = term && minutesOf({ term, lastDay, now: new Date(), zone })
    if (minutes === undefined) {
      setFailure(ban(term === 'until' ? 'chooseDay' : 'chooseTerm'))
      return 'failed'
    }
    const said = reason.trim()
    const { accounts: _accounts, possible: _possible, refused: _refused, ...place } = chosen
    const why = { ...(said && { reason: said }), ...(policyId && { policyId }) }
    return { sanction: { ...place, minutes, ...why, except: spared } }
  }

  const toggle = (kind: SanctionKind) => ask(kind === asked ? undefined : kind)

  return {
    read,
    forget,
    failure: chosen ? failure : undefined,
    /** What is done to how many accounts. */
    chosen,
    onKey: (key: string) => {
      const pressed = offered.find(({ sanction }) => combos[sanction] === key)
      if (pressed) toggle(pressed.sanction)
    },
    fields: offered.length > 0 && (
      <>
        <div className="grid gap-1">
          {offered.map(({ sanction, accounts }) => (
            <Offer
              key={sanction}
              sanction={sanction}
              accounts={accounts}
              isOn={sanction === asked}
              onToggle={() => toggle(sanction)}
            />
          ))}
        </div>
        {chosen && (
          <>
            <TermChoice chosen={chosenTerm} onChange={chooseTerm} hasKeys={false} />
            <Where forecasts={forecastsOf(chosen.sanction)} chosen={chosen} onChoose={chooseScope} />
            <PolicyField policyId={policyId} onChange={setPolicyId} />
            <Reason sanction={chosen.sanction} reason={reason} onChange={write} />
          </>
        )}
      </>
    ),
  }
}

interface OfferProps {
  sanction: SanctionKind
  accounts: number
  isOn: boolean
  onToggle: () => void
}

function Offer({ sanction, accounts, isOn, onToggle }: OfferProps) {
  const t = useTranslations(`many.sanctions.${sanction}`)
  return (
    <label className="flex min-h-6 items-center gap-2 coarse:min-h-10">
      <input type="checkbox" checked={isOn} onChange={onToggle} className="size-3.5 shrink-0 accent-accent" />
      <span className="min-w-0 flex-1">{t('ask', { count: accounts })}</span>
      <ActKeycap act={sanction} className="phone:hidden" />
    </label>
  )
}

interface WhereProps {
  forecasts: SanctionForecast[]
  chosen: SanctionForecast
  onChoose: (scope: BanScope) => void
}

/** In which kind of space, each with how many accounts it concerns there; and who is left out, and why. */
function Where({ forecasts, chosen: { sanction, scope, refused }, onChoose }: WhereProps) {
  const t = useTranslations('many.sanctions')
  const ban = useTranslations('ban')
  return (
    <>
      <Choices
        legend={ban('where')}
        chosen={scope}
        onChoose={onChoose}
        choices={forecasts.map(({ scope, possible }) => ({
          id: scope,
          label: t(`where.${scope}`),
          hint: t(`${sanction}.can`, { count: possible }),
        }))}
      />
      {refused.length > 0 && <RefusedAccounts label={t(`${sanction}.cannot`)} sanction={sanction} refused={refused} />}
    </>
  )
}

function Reason({
  sanction,
  ...field
}: {
  sanction: SanctionKind
  reason: string
  onChange: (reason: string) => void
}) {
  const t = useTranslations(`many.sanctions.${sanction}`)
  return <ReasonField label={t('reason')} {...field} />
}

/** The selected kind of space; else where they wrote it; else the narrowest. Something can be done in each of them. */
function forecastOf(forecasts: SanctionForecast[], chosen: BanScope | undefined): SanctionForecast | undefined {
  return (
    forecasts.find(({ scope }) => scope === chosen) ??
    forecasts.find(({ scope }) => scope === 'community') ??
    forecasts[0]
  )
}
