'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { ServiceTarget } from '#server/modules/review/targets/schema.ts'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { ClaimTimes } from './claim-times.tsx'
import { NumberField } from './number-field.tsx'
import { useReadAgain } from './use-read-again.ts'

const WITHIN_LIMIT_MINUTES = 10_080

/** How soon each community's held items should be decided, and how long claims of them last. */
export function TargetsPage() {
  const t = useTranslations('targets')
  const list = useQuery(useTRPC().targets.list.queryOptions())
  return (
    <SettingsPage title={t('title')} lead={t('lead')}>
      <SettingsSection id="set" title={t('set')}>
        <TargetForm />
      </SettingsSection>
      <SettingsSection id="all" title={t('all')}>
        <QueryState query={list} />
        {list.data?.length === 0 && <p className="pt-2 text-ink-3">{t('none')}</p>}
        {list.data && list.data.length > 0 && <Targets targets={list.data} />}
      </SettingsSection>
      <ClaimTimes />
    </SettingsPage>
  )
}

/** Sets or changes a community's target. */
function TargetForm() {
  const t = useTranslations('targets')
  const id = useId()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const readAgain = useReadAgain()
  const [community, setCommunity] = useState<{ id: string | null; name: string | undefined }>({
    id: null,
    name: undefined,
  })
  const setting = useMutation(
    useTRPC().targets.set.mutationOptions({
      onSuccess: () => {
        announce(t('done'))
        return readAgain()
      },
    }),
  )
  const failure = errorMessageOf(setting.error)

  function submit(form: FormData): void {
    if (community.id === null) return
    const [sharePercent, withinMinutes] = [Number(form.get('share')), Number(form.get('within'))]
    setting.mutate({ communityId: community.id, sharePercent, withinMinutes })
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
      <NumberField id={`${id}-share`} name="share" label={t('share')} max={100} usual={50} />
      <NumberField id={`${id}-within`} name="within" label={t('within')} max={WITHIN_LIMIT_MINUTES} usual={30} />
      <Button type="submit" look="primary" isDisabled={community.id === null || setting.isPending}>
        {t('submit')}
      </Button>
      {failure && <FormError id={`${id}-failure`}>{failure}</FormError>}
    </form>
  )
}

function Targets({ targets }: { targets: ServiceTarget[] }) {
  const t = useTranslations('targets')
  const times = useTimes()
  const announce = useAnnounce()
  const readAgain = useReadAgain()
  const removing = useMutation(
    useTRPC().targets.remove.mutationOptions({
      onSuccess: () => announce(t('removed')),
      onSettled: readAgain,
    }),
  )
  const columns: TableColumn<ServiceTarget>[] = [
    {
      id: 'community',
      header: t('community'),
      isRowHeader: true,
      cell: ({ displayName }) => <bdi className="wrap-anywhere">{displayName}</bdi>,
    },
    {
      id: 'target',
      header: t('target'),
      cell: ({ sharePercent, withinMinutes }) => t('words', { share: sharePercent, minutes: withinMinutes }),
    },
    {
      id: 'set',
      header: t('setBy'),
      hiddenOn: 'phone',
      cell: ({ updatedAt, updatedBy }) => (
        <>
          {updatedBy && <PersonLink person={updatedBy} />} <span className="text-ink-3">{times.brief(updatedAt)}</span>
        </>
      ),
    },
    {
      id: 'remove',
      header: t('remove'),
      align: 'end',
      cell: ({ communityId, displayName }) => (
        <Button
          look="icon"
          aria-label={t('removeOf', { space: displayName })}
          onPress={() => removing.mutate({ communityId })}
        >
          <Trash2 />
        </Button>
      ),
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable label={t('all')} columns={columns} items={targets} idOf={({ communityId }) => communityId} />
    </div>
  )
}
