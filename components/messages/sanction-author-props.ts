import type { Done } from '#components/kit/acts/done.ts'
import type { DeskMessage } from '#server/modules/desk/messages/schema.ts'

export interface SanctionAuthorProps {
  message: DeskMessage
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  onClose: () => void
  onDone: (done: Done) => void
}
