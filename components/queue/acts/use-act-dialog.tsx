'use client'
import { type ComponentType, type ReactElement, useState } from 'react'
import { useTranslations } from 'use-intl'
import { openHolding } from '#components/kit/acts/hold-keys.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { ACT_DIALOGS } from './act-dialogs.ts'
import type { ActDialogProps, DeskActs } from './desk-acts.ts'

interface Opened extends Omit<ActDialogProps, 'onClose'> {
  Dialog: ComponentType<ActDialogProps>
}

/** The open dialog. Keys typed while a dialog is loading go to that dialog only. */
export function useActDialog(): { open: DeskActs['open']; dialog: ReactElement | undefined } {
  const t = useTranslations('shell')
  const announce = useAnnounce()
  const [opened, setOpened] = useState<Opened>()

  const open: DeskActs['open'] = (act, item, words) => {
    const load = async () => {
      const [Dialog, known] = await Promise.all([ACT_DIALOGS[act](), item])
      return known && { Dialog, item: known, words }
    }
    openHolding(load, (loaded, typed) => setOpened({ ...loaded, typed })).catch(() => announce(t('notLoaded')))
  }

  const dialog = opened && <opened.Dialog {...opened} onClose={() => setOpened(undefined)} />
  return { open, dialog }
}
