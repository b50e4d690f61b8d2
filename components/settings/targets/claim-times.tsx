'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { ClaimTime } from '#server/modules/review/claims/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { NumberField } from './number-field.tsx'
import { useReadAgain } from './use-read-again.ts'

/** Thirty days. */
const HOURS_LIMIT = 720
const USUAL_HOURS = 24

/** How long claims last: the communities that have their own duration. */
export function ClaimTimes() {
  const t = useTranslations('targets')
  const list = useQuery(useTRPC().targets.claimTimes.queryOptions())
  return (
    <SettingsSection id="claims" title={t('claims')}>
      <p className="max-w-[68ch]">{t('claimsLead')}</p>
      <ClaimTimeForm />
      <QueryState query={list} />
      {list.data?.length === 0 && <p className="pt-2 text-ink-3">{t('claimsNone')}</p>}
      {list.data && list.data.length > 0 && <Times times={list.data} />}
    </SettingsSection>
  )
}

function ClaimTimeForm() {
  const t = useTranslations('targets')
  const id = useId()
  const errorMessageOf = useErrorMessage()
  const [community, setCommunity] = useState<{ id: string | null; name: string | undefined }>({
    id: null,
    name: undefined,
  })
  const setting = useSetTime(t('claimDone'))
  const failure = errorMessageOf(setting.error)

  function submit(form: FormData): void {
    if (community.id === null) return
    setting.mutate({ communityId: community.id, minutes: Number(form.get('hours')) * 60 })
  }
  return (
    <form
      onSubmit={(event) => {
        // Not a form action, which would reset the fields.
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
      className="mt-2 flex flex-wrap items-center gap-2"
    >
      <FoundChip
        what="space"
        chosen={community.id}
        name={community.name}
        onChoose={(id, name) => setCommunity({ id, name })}
      />
      <NumberField id={`${id}-hours`} name="hours" label={t('claimHours')} max={HOURS_LIMIT} usual={USUAL_HOURS} />
      <Button type="submit" isDisabled={community.id === null || setting.isPending}>
        {t('claimSubmit')}
      </Button>
      {failure && <FormError id={`${id}-failure`}>{failure}</FormError>}
    </form>
  )
}

function Times({ times }: { times: ClaimTime[] }) {
  const t = useTranslations('targets')
  const removing = useSetTime(t('claimRemoved'))
  const columns: TableColumn<ClaimTime>[] = [
    {
      id: 'community',
      header: t('community'),
      isRowHeader: true,
      cell: ({ displayName }) => <bdi className="wrap-anywhere">{displayName}</bdi>,
    },
    { id: 'time', header: t('claimTime'), cell: ({ minutes }) => t('claimWords', { hours: minutes / 60 }) },
    {
      id: 'remove',
      header: t('remove'),
      align: 'end',
      cell: ({ communityId, displayName }) => (
        <Button
          look="icon"
          aria-label={t('claimRemoveOf', { space: displayName })}
          onPress={() => removing.mutate({ communityId, minutes: null })}
        >
          <Trash2 />
        </Button>
      ),
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable label={t('claims')} columns={columns} items={times} idOf={({ communityId }) => communityId} />
    </div>
  )
}

function useSetTime(said: string) {
  const announce = useAnnounce()
  const readAgain = useReadAgain()
  return useMutation(
    useTRPC().targets.setClaimTime.mutationOptions({
      onSuccess: () => announce(said),
      onSettled: readAgain,
    }),
  )
}
