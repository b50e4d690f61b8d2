'use client'
import { TreatmentDialog } from '#components/kit/sanctions/treatment-dialog.tsx'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'

/** Trusts the author of an item, or has all that they write held, in its community or everywhere. */
export function TreatmentAuthorDialog({ item: { author, community }, typed, onClose }: ActDialogProps) {
  const cache = useQueueCache()
  const { done } = useDeskActs()
  return (
    <TreatmentDialog
      person={author}
      communityId={community?.communityId}
      typed={typed}
      onClose={onClose}
      onDone={({ words, undo }) => {
        void cache.forgetAuthor()
        done({ words, ...(undo && { undo: () => undo().finally(cache.forgetAuthor) }) })
      }}
    />
  )
}
