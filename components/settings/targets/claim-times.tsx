'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SettingsSection } from '../settings-page.tsx'
import { CommunityForm } from './community-form.tsx'
import { CommunityTable } from './community-table.tsx'
import { useChangeOptions } from './use-change-options.ts'

/** Thirty days. */
const HOURS_LIMIT = 720
const USUAL_HOURS = 24

/** How long claims last: the communities that have their own duration. */
export function ClaimTimes() {
  const t = useTranslations('targets')
  const trpc = useTRPC()
  const list = useQuery(trpc.targets.claimTimes.queryOptions())
  const setting = useMutation(trpc.targets.setClaimTime.mutationOptions(useChangeOptions(t('claimDone'))))
  const removing = useMutation(trpc.targets.setClaimTime.mutationOptions(useChangeOptions(t('claimRemoved'))))
  return (
    <SettingsSection id="claims" title={t('claims')}>
      <p className="max-w-[68ch]">{t('claimsLead')}</p>
      <CommunityForm
        fields={[{ name: 'hours', label: t('claimHours'), max: HOURS_LIMIT, usual: USUAL_HOURS }]}
        submitLabel={t('claimSubmit')}
        mutation={setting}
        onSubmit={(communityId, numberOf) => setting.mutate({ communityId, minutes: numberOf('hours') * 60 })}
      />
      <CommunityTable
        label={t('claims')}
        query={list}
        columns={[
          { id: 'time', header: t('claimTime'), cell: ({ minutes }) => t('claimWords', { hours: minutes / 60 }) },
        ]}
        emptyText={t('claimsNone')}
        removeLabelOf={(space) => t('claimRemoveOf', { space })}
        onRemove={(communityId) => removing.mutate({ communityId, minutes: null })}
      />
    </SettingsSection>
  )
}
