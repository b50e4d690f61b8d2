'use client'
import { useTranslations } from 'use-intl'
import { PolicyTitle } from '#components/kit/policies/policy-title.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import type { ShownFlag } from '#server/modules/review/items/schema.ts'

/** Who or which rule flagged the item, for what reason, the policy that this stands for, and what they wrote. */
export function FlagList({ flags }: { flags: ShownFlag[] }) {
  const t = useTranslations('reported')
  const times = useTimes()
  return (
    <dl className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-2.5 gap-y-1 text-small">
      {flags.map(({ by, ruleVersion, reason, detail, at, isCleared }) => (
        <div key={by.userId} className="col-span-2 grid grid-cols-subgrid">
          <dt className="wrap-anywhere text-ink-3">
            {ruleVersion === undefined ? <bdi>{by.displayName}</bdi> : t('rule')}
          </dt>
          <dd className="min-w-0 wrap-anywhere">
            <span className={isCleared ? '' : 'text-ink'}>
              {ruleVersion === undefined ? reason : t('ofRule', { rule: by.displayName, version: ruleVersion })}
            </span>
            <span title={times.exact(at)}>, {times.brief(at)}</span>
            {isCleared && <span className="text-ink-3">, {t('cleared')}</span>}
            {ruleVersion === undefined && <PolicyTitle reason={reason} />}
            {detail && (
              <span dir="auto" className="block font-member text-ink-2">
                <CoveredLine isFlagged>{detail}</CoveredLine>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
