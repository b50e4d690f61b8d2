'use client'
import { useTranslations } from 'use-intl'
import { LiftButton } from '#components/kit/sanctions/lift-button.tsx'
import { spaceKey, useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { useBanMessage } from '#components/kit/sanctions/use-ban-message.ts'
import type { BanInForce } from '#server/modules/spaces/sanctions/schema.ts'
import { useLifted } from './use-lifted.ts'

/** Active bans: where, until when, by whom, since when and why. */
export function BanList({ userId, bans }: { userId: string; bans: BanInForce[] }) {
  const t = useTranslations('ban')
  const spaceName = useSpaceName()
  const banWords = useBanMessage()
  const onLifted = useLifted()
  return bans.map((ban) => {
    const { until, who } = banWords(ban)
    return (
      <span key={spaceKey(ban.space)} className="block pb-1 last:pb-0">
        <span className="font-firm text-reject">{t('banned', { space: spaceName(ban) })}</span> {until}
        {who && <span className="block text-ink-3">{who}</span>}
        {ban.mayLift && (
          <span className="block pt-0.5">
            <LiftButton userId={userId} space={ban.space} spaceName={spaceName(ban)} onLifted={onLifted} />
          </span>
        )}
      </span>
    )
  })
}
