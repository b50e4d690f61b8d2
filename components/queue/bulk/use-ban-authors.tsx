'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { ReasonField } from '#components/kit/sanctions/reason-field.tsx'
import { type ChosenTerm, TermChoice } from '#components/kit/sanctions/term-choice.tsx'
import { minutesOf } from '#components/kit/sanctions/terms.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { BanForecast, SeenItem, StartBulk } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { BanScope } from '#server/modules/spaces/sanctions/schema.ts'
import { RefusedAccounts } from './refused-accounts.tsx'
import { subjectOf } from './to-seen.ts'

interface Authors {
  bulkId: string
  /** What will be rejected. */
  items: SeenItem[]
  /** What the person left out: the author of one of these is spared. Undefined where bans aren't offered. */
  except: Subject[] | undefined
}

/** Bans of the authors of what is rejected: the fields, and what is sent with them. */
export function useBanAuthors({ bulkId, items, except }: Authors) {
  const t = useTranslations('many.bans')
  const ban = useTranslations('ban')
  const client = useTRPCClient()
  const { zone } = useZone()
  const banCombo = useCombo('ban')
  const [isOn, setOn] = useState(false)
  const [chosenTerm, chooseTerm] = useState<ChosenTerm>({ term: undefined, lastDay: '' })
  const [chosenScope, chooseScope] = useState<BanScope>()
  const [reason, write, forget] = useDraft('ban many', { typed: [] })
  const [failure, setFailure] = useState<string>()
  const spared = (except ?? []).map(subjectOf)
  const { data: forecasts = [] } = useQuery({
    queryKey: ['bulk bans', bulkId],
    queryFn: () => client.bulk.previewBans.mutate({ items: items.map(subjectOf), except: spared }),
    enabled: except !== undefined && items.length > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const chosen = forecastOf(forecasts, chosenScope)
  const isBanning = isOn && chosen !== undefined

  /** What to send; `failed` if the person has to choose something first. */
  function read(): { ban?: StartBulk['ban'] } | 'failed' {
    setFailure(undefined)
    if (!isBanning) return {}
    const { term, lastDay } = chosenTerm
    const minutes = term && minutesOf({ term, lastDay, now: new Date(), zone })
    if (minutes === undefined) {
      setFailure(ban(term === 'until' ? 'chooseDay' : 'chooseTerm'))
      return 'failed'
    }
    const said = reason.trim()
    return { ban: { scope: chosen.scope, minutes, ...(said && { reason: said }), except: spared } }
  }

  return {
    read,
    forget,
    failure: isBanning ? failure : undefined,
    /** How many accounts will be banned. */
    accounts: isBanning ? chosen.bannable : 0,
    onKey: (key: string) => {
      if (key === banCombo && chosen) setOn(!isOn)
    },
    fields: chosen && (
      <>
        <label className="flex min-h-6 items-center gap-2 coarse:min-h-10">
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => setOn(event.target.checked)}
            className="size-3.5 shrink-0 accent-accent"
          />
          <span className="min-w-0 flex-1">{t('ask', { count: chosen.accounts })}</span>
          <ActKeycap act="ban" className="phone:hidden" />
        </label>
        {isOn && (
          <>
            <TermChoice chosen={chosenTerm} onChange={chooseTerm} hasKeys={false} />
            <Choices
              legend={ban('where')}
              chosen={chosen.scope}
              onChoose={chooseScope}
              choices={forecasts.map(({ scope, bannable }) => ({
                id: scope,
                label: t(`where.${scope}`),
                hint: t('can', { count: bannable }),
              }))}
            />
            {chosen.refused.length > 0 && <RefusedAccounts label={t('cannot')} refused={chosen.refused} />}
            <ReasonField label={t('reason')} reason={reason} onChange={write} />
          </>
        )}
      </>
    ),
  }
}

/** The selected kind of space; else where they wrote it; else the narrowest. Somebody can be banned in each of them. */
function forecastOf(forecasts: BanForecast[], chosen: BanScope | undefined): BanForecast | undefined {
  return (
    forecasts.find(({ scope }) => scope === chosen) ??
    forecasts.find(({ scope }) => scope === 'community') ??
    forecasts[0]
  )
}
