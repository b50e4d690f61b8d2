import type { Done } from '#components/kit/acts/done.ts'
import type { DeskMember, MemberSpace, SpaceRole } from '#server/modules/desk/spaces/schema.ts'

/** Props of every dialog about members. */
export interface MemberDialogProps {
  space: MemberSpace
  /** The members the act applies to. */
  members: DeskMember[]
  roles: SpaceRole[]
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  onClose: () => void
  /** Announces what was done, and refetches the members. */
  onDone: (done: Done) => void
}
