'use client'
import { useState } from 'react'
import { isPhone } from '../use-selection.ts'

/** What one is choosing: a part of the sentence, or which part to add. */
export type Edited = 'add' | 'text' | 'communityId' | 'kind' | 'author' | 'written' | 'zone' | 'heldFor'

/** Which part of the filters is open for a choice; on a phone that happens in a sheet. */
export function useFilterEditing() {
  const [edited, setEdited] = useState<Edited>()
  const [isSheetOpen, setSheetOpen] = useState(false)

  function edit(part: Edited): void {
    if (isPhone()) setSheetOpen(true)
    setEdited(part)
  }
  return { edited, edit, close: () => setEdited(undefined), isSheetOpen, setSheetOpen }
}
export type FilterEditing = ReturnType<typeof useFilterEditing>
