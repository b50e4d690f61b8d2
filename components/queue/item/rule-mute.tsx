'use client'
import { useTranslations } from 'use-intl'
import { UnmuteButton } from '#components/kit/sanctions/lift-button.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useLifted } from '../acts/ban/use-lifted.ts'
import { Fact } from './fact.tsx'

interface RuleMuteProps {
  item: QueueItem
  mute: NonNullable<ReviewItem['mute']>
}

/** The mute that a rule made for this item, with a button that ends it. */
export function RuleMute({ item: { community, author }, mute }: RuleMuteProps) {
  const t = useTranslations('queue')
  const times = useTimes()
  const onLifted = useLifted()
  return (
    <Fact name={t('facts.mutedUntil')} isSentence>
      <time dateTime={mute.endsAt}>{times.exact(mute.endsAt)}</time>{' '}
      <span className="me-1 text-ink-3">{t('facts.mutedBy', { rule: mute.rule })}</span>{' '}
      {mute.mayEnd && community && (
        <UnmuteButton
          userId={author.userId}
          space={{ scope: 'community', communityId: community.communityId }}
          spaceName={community.displayName}
          mute={{ endsAt: mute.endsAt }}
          onLifted={onLifted}
        />
      )}
    </Fact>
  )
}
