'use client'
import { useTranslations } from 'use-intl'
import { Badge } from '#components/ui/badge.tsx'
import type { TableColumn } from '#components/ui/data-table.tsx'
import type { ListedRule } from '#server/modules/rules/registry/schema.ts'

/** A rule's state: live is the usual one. */
export function RuleStateBadge({
  rule: { state, paused, overturned },
}: {
  rule: Pick<ListedRule, 'state' | 'paused' | 'overturned'>
}) {
  const t = useTranslations('rules')
  if (state === 'live') return <span className="text-base font-firm tracking-normal text-ink">{t('states.live')}</span>
  return (
    <Badge look={state === 'paused' || overturned ? 'warn' : 'plain'}>
      {t(`states.${state}`)}
      {paused?.reason && `: ${t('failed')}`}
      {overturned && `: ${t('overturned')}`}
    </Badge>
  )
}

/** The column with the state of each rule. */
export function useStateColumn(): TableColumn<ListedRule> {
  const t = useTranslations('rules.columns')
  return {
    id: 'state',
    header: t('state'),
    cell: (rule) => (
      <span className="phone:block phone:text-end">
        <RuleStateBadge rule={rule} />
      </span>
    ),
  }
}
