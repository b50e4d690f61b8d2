'use client'
import { nameOf } from '#components/kit/people/name-of.ts'
import { PolicyDialog } from '#components/kit/sanctions/policy-dialog.tsx'
import type { PersonDialogProps } from './person-dialog-props.ts'

/** Trusts a person, or has all that they write held, in one of their communities or everywhere. */
export function PolicyPersonDialog({ person: { user }, ...dialog }: PersonDialogProps) {
  return <PolicyDialog person={{ userId: user.userId, displayName: nameOf(user) }} {...dialog} />
}
