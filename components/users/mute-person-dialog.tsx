'use client'
import { nameOf } from '#components/kit/people/name-of.ts'
import { MuteDialog } from '#components/kit/sanctions/mute-dialog.tsx'
import type { PersonDialogProps } from './person-dialog-props.ts'

/** Mutes a person in one of their spaces. */
export function MutePersonDialog({ person: { user }, ...dialog }: PersonDialogProps) {
  return <MuteDialog person={{ userId: user.userId, displayName: nameOf(user) }} {...dialog} />
}
