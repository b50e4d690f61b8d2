'use client'
import { MuteDialog } from '#components/kit/sanctions/mute-dialog.tsx'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'

/** Mutes the author of an item, in its community or channel. */
export function MuteAuthorDialog({ item: { author, community, channel }, typed, onClose }: ActDialogProps) {
  const cache = useQueueCache()
  const { done } = useDeskActs()
  return (
    <MuteDialog
      person={author}
      foundIn={{ communityId: community?.communityId, channelId: channel?.channelId }}
      typed={typed}
      onClose={onClose}
      onDone={({ words, undo }) => {
        void cache.forgetAuthor()
        done({ words, ...(undo && { undo: () => undo().finally(cache.forgetAuthor) }) })
      }}
    />
  )
}
