'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, FlaskConical, Gavel, Plus } from 'lucide-react'
import Link from 'next/link'
import { Fragment, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { RULES_SEARCH, toNewRulePath, toRulePath, toRulesPath } from '#components/kit/addresses/rules-search.ts'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { ListedRule, ManagedSpace } from '#server/modules/rules/registry/schema.ts'
import { LazyOrderList, OrderButton, useOrder } from '../order/order-button.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { PresetList } from './preset-list.tsx'
import { QueueSection } from './queue-section.tsx'
import { RejectedSection } from './record-section.tsx'
import { RuleStateBadge, useStateColumn } from './rule-state.tsx'
import { useLiveRules, useRuleSpaces } from './use-rule-queries.ts'

/** More would be a list beside the menu. */
const ELSEWHERE_SHOWN = 5

const TestRules = lazyPart(() => import('./test-rules.tsx').then(({ TestRules }) => TestRules), { isPlain: true })

/** The rules of one space, in their order: the network's or a community's. */
export function RulesPage() {
  const t = useTranslations('rules')
  const [{ communityId }] = useQueryStates(RULES_SEARCH)
  const spaces = useRuleSpaces(communityId)
  const space = communityId ? spaces.data?.find((one) => one.communityId === communityId) : spaces.data?.[0]
  if (spaces.data && space) return <RulesOfSpace space={space} spaces={spaces.data} />
  return (
    <SettingsPage title={t('title')} lead={t('lead')}>
      <QueryState query={spaces} />
      {spaces.data && (
        <EmptyState isInSection icon={<Gavel />} title={t('noSpace')}>
          {t('noSpaceText')}
        </EmptyState>
      )}
    </SettingsPage>
  )
}

function RulesOfSpace({ space, spaces }: { space: ManagedSpace; spaces: ManagedSpace[] }) {
  const t = useTranslations('rules')
  const go = useNavigate()
  const communityId = space.communityId ?? null
  const trpc = useTRPC()
  const read = useQuery(trpc.rules.list.queryOptions({ communityId }))
  const [mode, setMode] = useState<'order' | 'test'>()
  const { order, failure } = useOrder<ListedRule, unknown>(trpc.rules.list.queryKey({ communityId }), {
    idOf: ({ ruleId }) => ruleId,
    send: (ruleIds) => trpcClient.rules.order.mutate({ communityId, ruleIds }),
    said: t('ordered'),
  })
  useLiveRules()
  const rules = read.data
  // Highlights aren't tested, and samples are for those who review what the rule judges.
  const testable = rules?.filter(({ action, mayTest }) => action.type !== 'highlight' && mayTest) ?? []
  const isTesting = mode === 'test' && testable.length > 0
  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      isWide
      acts={
        <>
          {testable.length > 1 && (
            <Button onPress={() => setMode(isTesting ? undefined : 'test')}>
              <FlaskConical />
              {t(isTesting ? 'testDone' : 'testSeveral')}
            </Button>
          )}
          {rules && rules.length > 1 && (
            <OrderButton
              labels={{ start: t('changeOrder'), done: t('orderDone') }}
              isOrdering={mode === 'order'}
              onChange={(isOrdering) => setMode(isOrdering ? 'order' : undefined)}
            />
          )}
          <Button onPress={() => go(toNewRulePath({ communityId, action: 'highlight' }))}>{t('watch')}</Button>
          <Button look="primary" onPress={() => go(toNewRulePath({ communityId }))}>
            <Plus />
            {t('add')}
          </Button>
        </>
      }
    >
      <SpaceChoice space={space} spaces={spaces} />
      {failure && (
        <div className="mt-3">
          <FormError id="order-failure">{failure}</FormError>
        </div>
      )}
      <QueryState query={read} />
      {rules?.length === 0 && (
        <EmptyState isInSection icon={<Gavel />} title={t(communityId === null ? 'noneOfNetwork' : 'noneHere')}>
          {t('noneText')}
          <RulesElsewhere spaces={spaces.filter(({ rules }) => rules > 0)} />
        </EmptyState>
      )}
      {rules && rules.length > 0 && mode !== 'order' && !isTesting && <RuleTable rules={rules} />}
      {rules && mode === undefined && <PresetList communityId={communityId} />}
      {mode === undefined && (
        <Fragment key={communityId}>
          {space.communityId && <ApplyingRules communityId={space.communityId} />}
          <QueueSection communityId={communityId} />
          <RejectedSection communityId={communityId} />
        </Fragment>
      )}
      {isTesting && <TestRules key={communityId} communityId={space.communityId} rules={testable} />}
      {rules && mode === 'order' && (
        <LazyOrderList
          label={t('title')}
          items={rules.map((rule) => ({
            id: rule.ruleId,
            name: rule.name,
            moveLabel: t('move', { name: rule.name }),
            content: (
              <>
                <bdi className="min-w-40 flex-1 font-firm wrap-anywhere text-ink">{rule.name}</bdi>
                <RuleStateBadge rule={rule} />
              </>
            ),
          }))}
          onOrder={order}
        />
      )}
    </SettingsPage>
  )
}

function SpaceChoice({ space, spaces }: { space: ManagedSpace; spaces: ManagedSpace[] }) {
  const t = useTranslations('rules')
  const format = useFormatter()
  const go = useNavigate()
  const nameOf = ({ communityId, displayName }: ManagedSpace) => (communityId ? displayName : t('wholeNetwork'))
  return (
    <div className="mt-4 mb-2 flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="text-ink-3">{t('space')}</span>
      {spaces.length > 1 ? (
        <ChoiceMenu
          label={t('space')}
          choices={spaces.map((one) => ({
            id: one.communityId ?? '',
            label: nameOf(one),
            hint: format.number(one.rules),
          }))}
          chosen={space.communityId ?? ''}
          onChoose={(communityId) => go(toRulesPath({ communityId: communityId || null }))}
        >
          <Button>
            <bdi>{nameOf(space)}</bdi>
            <ChevronDown />
          </Button>
        </ChoiceMenu>
      ) : (
        <bdi className="font-firm text-ink">{nameOf(space)}</bdi>
      )}
      {/* Who manages the rules of all communities gets those without rules by their names. */}
      {spaces.some(({ communityId }) => communityId === undefined) && (
        <FoundChip
          what="space"
          chosen={null}
          name={undefined}
          onChoose={(communityId) => go(toRulesPath({ communityId }))}
        />
      )}
    </div>
  )
}

/** That there are rules, where a space has none. */
function RulesElsewhere({ spaces }: { spaces: ManagedSpace[] }) {
  const t = useTranslations('rules')
  if (spaces.length === 0) return null
  return (
    <span className="mt-2 block">
      {t('elsewhere')}{' '}
      {spaces.slice(0, ELSEWHERE_SHOWN).map(({ communityId, displayName, rules }) => (
        <Link key={communityId ?? ''} href={toRulesPath({ communityId: communityId ?? null })} className="me-2">
          {t('inSpace', { space: communityId ? displayName : t('wholeNetwork'), count: rules })}
        </Link>
      ))}
    </span>
  )
}

/** Rules of the whole network, which apply in the community too. */
function ApplyingRules({ communityId }: { communityId: string }) {
  const t = useTranslations('rules')
  const { data } = useQuery(useTRPC().rules.applying.queryOptions({ communityId }))
  if (!data || data.length === 0) return null
  return (
    <SettingsSection id="of-network" title={t('ofNetwork')}>
      <ul aria-label={t('ofNetwork')} className="mt-1">
        {data.map(({ ruleId, name, does, mayManage }) => (
          <li key={ruleId} className="min-h-6 py-0.5 wrap-anywhere">
            {mayManage ? (
              <Link href={toRulePath(ruleId)} prefetch={false}>
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <bdi className="text-ink">{name}</bdi>
            )}
            {does !== 'hold' && <span className="ms-2 text-small text-ink-3">{t(`does.${does}`)}</span>}
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}

function RuleTable({ rules }: { rules: ListedRule[] }) {
  const t = useTranslations('rules')
  const format = useFormatter()
  const times = useTimes()
  const columns: TableColumn<ListedRule>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      isRowHeader: true,
      cell: ({ name, action }) => (
        <>
          <bdi className="wrap-anywhere">{name}</bdi>
          {action.type !== 'hold' && <span className="ms-2 text-small text-ink-3">{t(`does.${action.type}`)}</span>}
          {action.muteMinutes !== undefined && <span className="ms-2 text-small text-ink-3">{t('mutes')}</span>}
        </>
      ),
    },
    useStateColumn(),
    {
      id: 'owner',
      header: t('columns.owner'),
      hiddenOn: 'phone',
      cell: ({ owner }) => <bdi className="wrap-anywhere">{owner.displayName}</bdi>,
    },
    {
      id: 'version',
      header: t('columns.version'),
      align: 'end',
      hiddenOn: 'phone',
      cell: ({ version }) => format.number(version),
    },
    {
      id: 'changed',
      header: t('columns.changed'),
      align: 'end',
      hiddenOn: 'phone',
      cell: ({ updatedAt }) => (
        <time dateTime={updatedAt} title={times.exact(updatedAt)} className="text-ink-3">
          {times.brief(updatedAt)}
        </time>
      ),
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable
        label={t('title')}
        columns={columns}
        items={rules}
        idOf={({ ruleId }) => ruleId}
        hrefOf={({ ruleId }) => toRulePath(ruleId)}
      />
    </div>
  )
}
