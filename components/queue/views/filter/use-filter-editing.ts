'use client'
import { useEffect, useMemo, useState } from 'react'
import { isPhone } from '../../state/window-size.ts'
import type { Edited, FilterEditing } from './filter-editing.ts'

/** Which filter is being edited; on a phone this happens in a sheet. */
export function useFilterEditing(): FilterEditing {
  const [{ edited, isAdding }, setEdited] = useState<{ edited?: Edited; isAdding: boolean }>({ isAdding: false })
  const [isSheetOpen, setSheetOpen] = useState(false)

  // Preloads the editor, so that keyboard users find it ready on second use.
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
        // An editor opened from the list of filters stays where the list was.
        setEdited((before) => ({ edited: part, isAdding: part === 'add' || before.isAdding }))
      },
      close: () => setEdited({ isAdding: false }),
    }),
    [edited, isAdding, isSheetOpen],
  )
}
