'use client'
import { useTranslations } from 'use-intl'
import type { TableColumn } from '#components/ui/data-table.tsx'
import type { ListedRule } from '#server/modules/rules/registry/schema.ts'
import { RuleStateBadge } from './rule-state.tsx'

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
