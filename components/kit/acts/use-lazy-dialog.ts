'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWarn } from '#components/ui/announcer.tsx'
import { openHolding } from './hold-keys.ts'

/** A part of a page that is loaded on first use. */
interface Loadable {
  preload: () => Promise<void>
}

/**
 * What is asked of a dialog, from the moment its script is loaded. Keys pressed before go to the dialog only. A browser that is offline
 * opens none.
 */
export function useLazyDialog<Asked extends object>() {
  const t = useTranslations('shell')
  const warn = useWarn()
  const [opened, setOpened] = useState<Asked & { typed: string[] }>()

  async function load(dialog: Loadable, asked: Asked): Promise<Asked> {
    if (!navigator.onLine) throw new Error('The browser is offline')
    await dialog.preload()
    return asked
  }
  const open = (dialog: Loadable, asked: Asked): void => {
    openHolding(
      () => load(dialog, asked),
      (asked, typed) => setOpened({ ...asked, typed }),
    ).catch(() => warn(t('notLoaded')))
  }
  return { opened, open, close: () => setOpened(undefined) }
}
