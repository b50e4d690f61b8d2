'use client'
import { WarnDialog } from '#components/kit/sanctions/warn-dialog.tsx'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'

/** Warns the author of an item about it, in its community or everywhere. */
export function WarnAuthorDialog({ item, typed, onClose }: ActDialogProps) {
  const { author, community, subjectType, subjectId } = item
  const { done } = useDeskActs()
  return (
    <WarnDialog
      person={author}
      communityId={community?.communityId}
      {...(subjectType !== 'user' && { about: { type: subjectType, id: subjectId } })}
      typed={typed}
      onClose={onClose}
      onDone={done}
    />
  )
}
