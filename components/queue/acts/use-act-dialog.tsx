'use client'
import { type ComponentType, type ReactElement, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { ACT_DIALOGS } from './act-dialogs.ts'
import type { ActDialogProps, DeskActs } from './desk-acts.ts'
import { holdKeys } from './hold-keys.ts'

interface Opened extends Omit<ActDialogProps, 'onClose'> {
  Dialog: ComponentType<ActDialogProps>
}

/** The dialog that is open. What is typed while one is being loaded goes to it, and to nothing else. */
export function useActDialog(): { open: DeskActs['open']; dialog: ReactElement | undefined } {
  const t = useTranslations('shell')
  const announce = useAnnounce()
  const [opened, setOpened] = useState<Opened>()

  async function load(...[act, item, words]: Parameters<DeskActs['open']>): Promise<void> {
    const { typed, release } = holdKeys()
    try {
      const [Dialog, known] = await Promise.all([ACT_DIALOGS[act](), item])
      if (!known || typed.includes('Escape')) return
      // Painted and focused before the next key is heard.
      flushSync(() => setOpened({ Dialog, item: known, typed, words }))
    } catch {
      announce(t('notLoaded'))
    } finally {
      release()
    }
  }

  const dialog = opened && <opened.Dialog {...opened} onClose={() => setOpened(undefined)} />
  return { open: (...what) => void load(...what), dialog }
}
