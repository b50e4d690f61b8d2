'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { ClaimTimes } from './claim-times.tsx'
import { CommunityForm } from './community-form.tsx'
import { CommunityTable } from './community-table.tsx'
import { useChangeOptions } from './use-change-options.ts'

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
  const setting = useMutation(useTRPC().targets.set.mutationOptions(useChangeOptions(t('done'))))
  return (
    <CommunityForm
      fields={[
        { name: 'share', label: t('share'), max: 100, usual: 50 },
        { name: 'within', label: t('within'), max: WITHIN_LIMIT_MINUTES, usual: 30 },
      ]}
      submitLabel={t('submit')}
      look="primary"
      mutation={setting}
      onSubmit={(communityId, numberOf) =>
        setting.mutate({ communityId, sharePercent: numberOf('share'), withinMinutes: numberOf('within') })
      }
    />
  )
}

function Targets() {
  const t = useTranslations('targets')
  const trpc = useTRPC()
  const times = useTimes()
  const list = useQuery(trpc.targets.list.queryOptions())
  const removing = useMutation(trpc.targets.remove.mutationOptions(useChangeOptions(t('removed'))))
  return (
    <CommunityTable
      label={t('all')}
      query={list}
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
      onRemove={(communityId) => removing.mutate({ communityId })}
    />
  )
}
