import type { Done } from '#components/kit/acts/done.ts'
import type { Person } from '#server/modules/people/schema.ts'

/** Props of every dialog about a person. */
export interface PersonDialogProps {
  person: Person
  /** Keys pressed while the dialog was loading. */
  typed: string[]
  onClose: () => void
  /** Announces what was done, and refetches the person. */
  onDone: (done: Done) => void
}
