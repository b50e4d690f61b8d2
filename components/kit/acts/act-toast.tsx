'use client'
import { X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { Button } from '#components/ui/button.tsx'
import type { LastAct } from './use-last-act.ts'

interface ActToastProps {
  last: LastAct | undefined
  /** Whether the key for undo undoes it. */
  hasKey?: boolean
  onUndo: (act: LastAct) => void
  onDismiss: () => void
}

/** The latest act other than a decision, with an undo button. */
export function ActToast({ last, hasKey = true, onUndo, onDismiss }: ActToastProps) {
  const t = useTranslations('acts')
  if (!last) return null
  return (
    <section
      aria-label={t('toast')}
      className="flex animate-appear items-center gap-1.5 rounded-3 bg-raised py-2 ps-3 pe-1.5 shadow-pop forced-colors:border"
    >
      <p className="min-w-0 flex-1 wrap-anywhere text-ink">{last.words}</p>
      {last.undo && (
        <Button onPress={() => onUndo(last)}>
          {t('undo')}
          {hasKey && <ActKeycap act="takeBack" className="phone:hidden" />}
        </Button>
      )}
      <Button look="icon" aria-label={t('dismiss')} onPress={onDismiss}>
        <X />
      </Button>
    </section>
  )
}
