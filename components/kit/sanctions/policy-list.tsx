'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { PolicyInForce } from '#server/modules/spaces/author-policies/schema.ts'
import type { Done } from '../acts/done.ts'
import { EndButton } from './lift-button.tsx'
import { restOfPolicy } from './rest-of-policy.ts'
import { useSpaceName } from './space-name.ts'
import { useBanMessage } from './use-ban-message.ts'

interface PolicyListProps {
  userId: string
  policies: PolicyInForce[]
  onEnded: (done: Done) => void
}

/** What becomes of what a person writes: where, until when, by whom, since when and why, with the button that ends it for those who may. */
export function PolicyList({ userId, policies, onEnded }: PolicyListProps) {
  const t = useTranslations('policy')
  const nameOf = useSpaceName()
  const messageOf = useBanMessage()
  const trpc = useTRPC()
  const ending = useMutation(trpc.authorPolicies.end.mutationOptions())
  const setting = useMutation(trpc.authorPolicies.set.mutationOptions())
  return policies.map((policy) => {
    const { policyId, kind, space, mayEnd } = policy
    const spaceName = nameOf(policy)
    const { until, who } = messageOf(policy)
    return (
      <span key={policyId} className="block pb-1 last:pb-0">
        <span className={`font-firm ${kind === 'trust' ? 'text-approve' : 'text-reject'}`}>
          {t(`inForce.${kind}`, { space: spaceName })}
        </span>{' '}
        {until}
        {who && <span className="block text-ink-3">{who}</span>}
        {mayEnd && (
          <span className="block pt-0.5">
            <EndButton
              label={t(`end.${kind}`)}
              spaceName={spaceName}
              isPending={ending.isPending}
              end={() => ending.mutateAsync({ policyId })}
              onEnded={() =>
                onEnded({
                  words: t(`ended.${kind}`, { space: spaceName }),
                  undo: () => setting.mutateAsync({ userId, space, ...restOfPolicy(policy), seen: null }),
                })
              }
            />
          </span>
        )}
      </span>
    )
  })
}
