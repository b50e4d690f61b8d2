'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Scale } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { inLanguage, usePolicyLanguage } from '#components/kit/policies/use-policies.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useLiveMessages } from '#components/live/live-context.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Policies, Policy } from '#server/modules/network/policies/schema.ts'
import { Row } from '../rows.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { PolicyVersions } from './policy-versions.tsx'
import { usePolicyFacts } from './use-policy-facts.ts'

/** Loaded when it opens: the server's limits come with zod. */
const PolicyDialog = lazyPart(() => import('./policy-dialog.tsx').then(({ PolicyDialog }) => PolicyDialog), {
  onFailed: ({ onClose }) => onClose(),
})

/** The network's published rules: reasons, rules, bans and mutes point to them. */
export function PoliciesPage() {
  const t = useTranslations('policies')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const read = useQuery(trpc.policies.list.queryOptions())
  const readAgain = () => queryClient.invalidateQueries(trpc.policies.pathFilter())
  const acts = useSettingsActs(readAgain)
  useLiveMessages((message) => {
    if (message.kind === 'event' && message.name === 'desk.policy.didChange') void readAgain()
  })
  const { policies = [], hasMoreStarters = false } = read.data ?? {}
  const inUse = policies.filter(({ isArchived }) => !isArchived)
  const archived = policies.filter(({ isArchived }) => isArchived)

  /** Each change returns all policies: the next act is on these. */
  const take = (changed: Policies) => queryClient.setQueryData(trpc.policies.list.queryKey(), changed)

  const addStarters = () =>
    acts.run(async () => take(await trpcClient.policies.addStarters.mutate()), { words: t('startersAdded') })
  const edit = (policy?: Policy) =>
    acts.open((close) => (
      <PolicyDialog
        policy={policy}
        policies={policies}
        onClose={close}
        onDone={(changed, words) => {
          close()
          take(changed)
          acts.done({ words })
        }}
      />
    ))

  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      acts={
        read.data && (
          <>
            {hasMoreStarters && <Button onPress={addStarters}>{t('addStarters')}</Button>}
            <Button look="primary" onPress={() => edit()}>
              <Plus />
              {t('add')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={read} />
      {read.data && inUse.length === 0 && (
        <EmptyState isInSection icon={<Scale />} title={t('none')}>
          {t(hasMoreStarters ? 'noneText' : 'noneLeftText')}
        </EmptyState>
      )}
      {inUse.length > 0 && <PolicyList label={t('title')} policies={inUse} acts={acts} onTake={take} onEdit={edit} />}
      {archived.length > 0 && (
        <SettingsSection id="archived" title={t('archived')}>
          <PolicyList label={t('archived')} policies={archived} acts={acts} onTake={take} />
        </SettingsSection>
      )}
      {acts.toast}
    </SettingsPage>
  )
}

interface PolicyListProps {
  label: string
  policies: Policy[]
  acts: SettingsActs
  onTake: (changed: Policies) => void
  /** Absent for archived ones, which stay as they are. */
  onEdit?: (policy: Policy) => void
}

/** Policies by title, with their facts, versions and acts. */
function PolicyList({ label, policies, acts, onTake, onEdit }: PolicyListProps) {
  const t = useTranslations('policies')
  const language = usePolicyLanguage()
  const format = useFormatter()
  const factsOf = usePolicyFacts()
  const titleOf = ({ texts }: Policy) => inLanguage(texts, language)?.title ?? ''

  function archive(policy: Policy): void {
    const { policyId, version, uses } = policy
    const title = titleOf(policy)
    const used = USES.filter((kind) => uses[kind] > 0)
    const count = used.reduce((sum, kind) => sum + uses[kind], 0)
    const means = t('archiveMeans', {
      count,
      uses: format.list(used.map((kind) => t(`uses.${kind}`, { count: uses[kind] }))),
    })
    acts.confirm(
      { title: t('archiveTitle'), about: title, means, submit: t('archiveSubmit') },
      async () => onTake(await trpcClient.policies.archive.mutate({ policyId, version })),
      { words: t('archiveDone', { title }) },
    )
  }

  return (
    <ul aria-label={label} className="mt-4 border-t border-line-strong">
      {policies
        .toSorted((one, other) => titleOf(one).localeCompare(titleOf(other), language))
        .map((policy) => (
          <Row
            key={policy.policyId}
            title={titleOf(policy)}
            about={
              <>
                {factsOf(policy)}
                <PolicyVersions policy={policy} title={titleOf(policy)} />
              </>
            }
          >
            {onEdit && (
              <span className="flex gap-1.5">
                <Button aria-label={t('changeOf', { title: titleOf(policy) })} onPress={() => onEdit(policy)}>
                  {t('change')}
                </Button>
                <Button aria-label={t('archiveOf', { title: titleOf(policy) })} onPress={() => archive(policy)}>
                  {t('archive')}
                </Button>
              </span>
            )}
          </Row>
        ))}
    </ul>
  )
}

const USES = ['reasons', 'rules', 'bans', 'mutes'] as const satisfies (keyof Policy['uses'])[]
