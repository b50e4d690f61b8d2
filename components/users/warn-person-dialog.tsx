'use client'
import { nameOf } from '#components/kit/people/name-of.ts'
import { WarnDialog } from '#components/kit/sanctions/warn-dialog.tsx'
import type { PersonDialogProps } from './person-dialog-props.ts'

/** Warns a person, in one of their communities or everywhere. */
export function WarnPersonDialog({ person: { user }, ...dialog }: PersonDialogProps) {
  return <WarnDialog person={{ userId: user.userId, displayName: nameOf(user) }} {...dialog} />
}
