import type { QueueSearch } from '#components/kit/addresses/queue-search.ts'

/** What is being edited: one filter, or which filter to add. */
export type Edited =
  | 'add'
  | 'text'
  | 'communityId'
  | 'kind'
  | 'author'
  | 'written'
  | 'zone'
  | 'heldFor'
  | 'rule'
  | 'label'
  | 'signal'

/** Which filter is being edited, and ways to change that. */
export interface FilterEditing {
  edited: Edited | undefined
  /** Whether the filter is a new one. */
  isAdding: boolean
  isSheetOpen: boolean
  setSheetOpen: (isOpen: boolean) => void
  edit: (part: Edited) => void
  close: () => void
}

/** Each editor narrows the queue by the selected value. */
export interface EditorProps {
  onChoose: (changed: Partial<QueueSearch>) => void
}
