'use client'
import { type ComponentType, type ReactElement, useState } from 'react'
import { useTranslations } from 'use-intl'
import { openHolding } from '#components/kit/acts/hold-keys.ts'
import { useWarn } from '#components/ui/announcer.tsx'
import { ACT_DIALOGS } from './act-dialogs.ts'
import type { ActDialogProps, ActName, DeskActs } from './desk-acts.ts'

interface Opened extends Omit<ActDialogProps, 'onClose'> {
  act: ActName
  Dialog: ComponentType<ActDialogProps>
}

/** The open dialog. Keys typed while a dialog is loading go to that dialog only. */
export function useActDialog(): {
  open: DeskActs['open']
  opened: Pick<Opened, 'act' | 'item'> | undefined
  dialog: ReactElement | undefined
} {
  const t = useTranslations('shell')
  const warn = useWarn()
  const [opened, setOpened] = useState<Opened>()

  const open: DeskActs['open'] = (act, item, words) => {
    const load = async () => {
      const [Dialog, known] = await Promise.all([ACT_DIALOGS[act](), item])
      return known && { act, Dialog, item: known, words }
    }
    openHolding(load, (loaded, typed) => setOpened({ ...loaded, typed })).catch(() => warn(t('notLoaded')))
  }

  function close(): void {
    setOpened(undefined)
  }
  if (!opened) return { open, opened, dialog: undefined }
  const { Dialog, act: _, ...props } = opened
  return { open, opened, dialog: <Dialog {...props} onClose={close} /> }
}
