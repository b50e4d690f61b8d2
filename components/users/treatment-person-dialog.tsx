'use client'
import { nameOf } from '#components/kit/people/name-of.ts'
import { TreatmentDialog } from '#components/kit/sanctions/treatment-dialog.tsx'
import type { PersonDialogProps } from './person-dialog-props.ts'

/** Trusts a person, or has all that they write held, in one of their communities or everywhere. */
export function TreatmentPersonDialog({ person: { user }, ...dialog }: PersonDialogProps) {
  return <TreatmentDialog person={{ userId: user.userId, displayName: nameOf(user) }} {...dialog} />
}
