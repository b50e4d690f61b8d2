'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { PolicyTitle } from '#components/kit/policies/policy-title.tsx'
import { LiftButton, UnmuteButton } from '#components/kit/sanctions/lift-button.tsx'
import { spaceKey, useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { useBanMessage } from '#components/kit/sanctions/use-ban-message.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { BanInForce } from '#server/modules/spaces/sanctions/schema.ts'
import { useLifted } from './use-lifted.ts'

interface SanctionListProps {
  author: ReviewItem['author']
  /** The community whose mute has its button elsewhere on the page. */
  unmutedIn: string | undefined
}

/** Active bans and mutes: where, until when, by whom, since when, why, and the policy that was broken. */
export function SanctionList({ author: { userId, bans, mutes = [] }, unmutedIn }: SanctionListProps) {
  const t = useTranslations('ban')
  const nameOf = useSpaceName()
  const onLifted = useLifted()
  return (
    <>
      {bans.map((ban) => {
        const spaceName = nameOf(ban)
        return (
          <Sanction key={spaceKey(ban.space)} what={t('banned', { space: spaceName })} sanction={ban}>
            <LiftButton userId={userId} space={ban.space} spaceName={spaceName} onLifted={onLifted} />
          </Sanction>
        )
      })}
      {mutes.map((mute) => {
        const spaceName = nameOf(mute)
        const isElsewhere = mute.space.scope === 'community' && mute.space.communityId === unmutedIn
        return (
          <Sanction key={`mute ${spaceKey(mute.space)}`} what={t('muted', { space: spaceName })} sanction={mute}>
            {!isElsewhere && (
              <UnmuteButton userId={userId} space={mute.space} spaceName={spaceName} mute={mute} onLifted={onLifted} />
            )}
          </Sanction>
        )
      })}
    </>
  )
}

/** One of them, with the button that ends it for those who may. */
function Sanction({ what, sanction, children }: { what: string; sanction: BanInForce; children: ReactNode }) {
  const { until, who } = useBanMessage()(sanction)
  return (
    <span className="block pb-1 last:pb-0">
      <span className="font-firm text-reject">{what}</span> {until}
      {who && <span className="block text-ink-3">{who}</span>}
      {sanction.policyId && <PolicyTitle policyId={sanction.policyId} />}
      {sanction.mayLift && children && <span className="block pt-0.5">{children}</span>}
    </span>
  )
}
