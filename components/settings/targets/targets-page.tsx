'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { QueryState, type ReadQuery } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'

const WITHIN_LIMIT_MINUTES = 10_080

/** How soon each community's held items should be decided, and how long claims of them last. */
export function TargetsPage() {
  const t = useTranslations('targets')
  return (
    <SettingsPage title={t('title')} lead={t('lead')}>
      <SettingsSection id="set" title={t('set')}>
        <TargetForm />
      </SettingsSection>
      <SettingsSection id="all" title={t('all')}>
        <Targets />
      </SettingsSection>
      <ClaimTimes />
    </SettingsPage>
  )
}

/** Sets or changes a community's target. */
function TargetForm() {
  const t = useTranslations('targets')
  return (
    <CommunityForm
      fields={[
        { name: 'share', label: t('share'), max: 100, usual: 50 },
        { name: 'within', label: t('within'), max: WITHIN_LIMIT_MINUTES, usual: 30 },
      ]}
      submitLabel={t('submit')}
      look="primary"
      said={t('done')}
      set={(communityId, { share = 0, within = 0 }) =>
        trpcClient.targets.set.mutate({ communityId, sharePercent: share, withinMinutes: within })
      }
    />
  )
}

function Targets() {
  const t = useTranslations('targets')
  const times = useTimes()
  return (
    <CommunityTable
      label={t('all')}
      query={useQuery(useTRPC().targets.list.queryOptions())}
      columns={[
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
              {updatedBy && <PersonLink person={updatedBy} />}{' '}
              <span className="text-ink-3">{times.brief(updatedAt)}</span>
            </>
          ),
        },
      ]}
      emptyText={t('none')}
      removeLabelOf={(space) => t('removeOf', { space })}
      said={t('removed')}
      remove={(communityId) => trpcClient.targets.remove.mutate({ communityId })}
    />
  )
}

/** Thirty days. */
const HOURS_LIMIT = 720
const USUAL_HOURS = 24

/** How long claims last: the communities that have their own duration. */
function ClaimTimes() {
  const t = useTranslations('targets')
  const { setClaimTime } = trpcClient.targets
  return (
    <SettingsSection id="claims" title={t('claims')}>
      <p className="max-w-[68ch]">{t('claimsLead')}</p>
      <CommunityForm
        fields={[{ name: 'hours', label: t('claimHours'), max: HOURS_LIMIT, usual: USUAL_HOURS }]}
        submitLabel={t('claimSubmit')}
        said={t('claimDone')}
        set={(communityId, { hours = 0 }) => setClaimTime.mutate({ communityId, minutes: hours * 60 })}
      />
      <CommunityTable
        label={t('claims')}
        query={useQuery(useTRPC().targets.claimTimes.queryOptions())}
        columns={[
          { id: 'time', header: t('claimTime'), cell: ({ minutes }) => t('claimWords', { hours: minutes / 60 }) },
        ]}
        emptyText={t('claimsNone')}
        removeLabelOf={(space) => t('claimRemoveOf', { space })}
        said={t('claimRemoved')}
        remove={(communityId) => setClaimTime.mutate({ communityId, minutes: null })}
      />
    </SettingsSection>
  )
}

interface CommunityFormProps {
  /** Whole numbers from 1, each with its unit after it as its label. */
  fields: { name: string; label: string; max: number; usual: number }[]
  submitLabel: string
  look?: 'primary'
  /** What is announced. */
  said: string
  set: (communityId: string, numbers: Record<string, number>) => Promise<unknown>
}

/** Sets numbers for a community. */
function CommunityForm({ fields, submitLabel, look, said, set }: CommunityFormProps) {
  const id = useId()
  const setting = useChange(said)
  const failure = useErrorMessage()(setting.error)
  const [community, setCommunity] = useState<{ id: string | null; name?: string | undefined }>({ id: null })
  return (
    <form
      onSubmit={(event) => {
        // Not a form action, which would reset the fields.
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const numbers = Object.fromEntries(fields.map(({ name }) => [name, Number(form.get(name))]))
        const { id } = community
        if (id !== null) setting.mutate(() => set(id, numbers))
      }}
      className="mt-2 flex flex-wrap items-center gap-2"
    >
      <FoundChip
        what="space"
        chosen={community.id}
        name={community.name}
        onChoose={(id, name) => setCommunity({ id, name })}
      />
      {fields.map(({ name, label, max, usual }) => (
        <span key={name} className="flex items-center gap-2">
          <input
            id={`${id}-${name}`}
            name={name}
            type="number"
            inputMode="numeric"
            min={1}
            max={max}
            required
            defaultValue={usual}
            className="h-control w-20 rounded-2 border border-line-control bg-raised px-2 text-ink"
          />
          <label htmlFor={`${id}-${name}`}>{label}</label>
        </span>
      ))}
      <Button type="submit" look={look} isDisabled={community.id === null || setting.isPending}>
        {submitLabel}
      </Button>
      {failure && <FormError id={`${id}-failure`}>{failure}</FormError>}
    </form>
  )
}

interface CommunityTableProps<Item> {
  label: string
  query: ReadQuery & { data: Item[] | undefined }
  /** Between the community and the button that removes the row. */
  columns: TableColumn<Item>[]
  emptyText: string
  removeLabelOf: (space: string) => string
  /** What is announced. */
  said: string
  remove: (communityId: string) => Promise<unknown>
}

/** What is set for communities, a row each. */
function CommunityTable<Item extends { communityId: string; displayName: string }>(props: CommunityTableProps<Item>) {
  const { label, query, columns, emptyText, removeLabelOf } = props
  const t = useTranslations('targets')
  const removing = useChange(props.said)
  const community: TableColumn<Item> = {
    id: 'community',
    header: t('community'),
    isRowHeader: true,
    cell: ({ displayName }) => <bdi className="wrap-anywhere">{displayName}</bdi>,
  }
  const remove: TableColumn<Item> = {
    id: 'remove',
    header: t('remove'),
    align: 'end',
    cell: ({ communityId, displayName }) => (
      <Button
        look="icon"
        aria-label={removeLabelOf(displayName)}
        onPress={() => removing.mutate(() => props.remove(communityId))}
      >
        <Trash2 />
      </Button>
    ),
  }
  return (
    <>
      <QueryState query={query} />
      {query.data?.length === 0 && <p className="pt-2 text-ink-3">{emptyText}</p>}
      {query.data && query.data.length > 0 && (
        <div className="[--edge:0px]">
          <DataTable
            label={label}
            columns={[community, ...columns, remove]}
            items={query.data}
            idOf={({ communityId }) => communityId}
          />
        </div>
      )}
    </>
  )
}

/** Runs a change: announces it, and reads targets and claim times again. */
function useChange(said: string) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () => announce(said),
    onSettled: () => queryClient.invalidateQueries(trpc.targets.pathFilter()),
  })
}
