'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { Done } from './done.ts'

export interface LastAct extends Done {
  at: number
}

/** The latest act other than a decision, until it is undone or dismissed. */
export function useLastAct() {
  const t = useTranslations('acts')
  const announce = useAnnounce()
  const [last, setLast] = useState<LastAct>()

  function done(act: Done): void {
    announce(act.words)
    setLast({ ...act, at: Date.now() })
  }

  async function undo(act: LastAct): Promise<void> {
    setLast(undefined)
    try {
      const said = await act.undo?.()
      if (typeof said === 'string') done({ words: said })
      else announce(t('takenBack'))
    } catch {
      setLast((now) => now ?? act)
      announce(t('notTakenBack'))
    }
  }

  return { last, done, undo: (act: LastAct) => void undo(act), dismiss: () => setLast(undefined) }
}
