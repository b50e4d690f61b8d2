'use client'
import { UnmuteButton } from '#components/kit/sanctions/lift-button.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useLifted } from './use-lifted.ts'

interface UnmuteAuthorButtonProps {
  author: QueueItem['author']
  community: NonNullable<QueueItem['community']>
  /** When the mute would end. */
  endsAt: string
}

/** Ends the mute of an item's author in its community. */
export function UnmuteAuthorButton({ author, community, endsAt }: UnmuteAuthorButtonProps) {
  return (
    <UnmuteButton
      userId={author.userId}
      space={{ scope: 'community', communityId: community.communityId }}
      spaceName={community.displayName}
      mute={{ endsAt }}
      onLifted={useLifted()}
    />
  )
}
