import type { Done } from '#components/kit/acts/done.ts'
import type { DeskMessage } from '#server/modules/desk/messages/schema.ts'

export interface BanAuthorProps {
  message: DeskMessage
  onClose: () => void
  onDone: (done: Done) => void
}
