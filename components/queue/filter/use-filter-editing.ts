'use client'
import { useEffect, useMemo, useState } from 'react'
import { isPhone } from '../is-phone.ts'

/** What one is choosing: a part of the sentence, or which part to add. */
export type Edited = 'add' | 'text' | 'communityId' | 'kind' | 'author' | 'written' | 'zone' | 'heldFor'

/** Which part of the filters is open for a choice; on a phone that happens in a sheet. */
export function useFilterEditing() {
  const [{ edited, isAdding }, setEdited] = useState<{ edited?: Edited; isAdding: boolean }>({ isAdding: false })
  const [isSheetOpen, setSheetOpen] = useState(false)

  // Whoever works by keys has it at hand by the second one.
  useEffect(() => {
    const load = () => void import('./filter-popover.tsx').catch(() => undefined)
    window.addEventListener('keydown', load, { once: true })
    return () => window.removeEventListener('keydown', load)
  }, [])

  return useMemo(
    () => ({
      edited,
      isAdding,
      isSheetOpen,
      setSheetOpen,
      edit: (part: Edited) => {
        if (isPhone()) setSheetOpen(true)
        // What is chosen from the list of filters stays where the list was.
        setEdited((before) => ({ edited: part, isAdding: part === 'add' || before.isAdding }))
      },
      close: () => setEdited({ isAdding: false }),
    }),
    [edited, isAdding, isSheetOpen],
  )
}
export type FilterEditing = ReturnType<typeof useFilterEditing>
