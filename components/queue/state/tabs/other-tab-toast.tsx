'use client'
import { X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { UndoLabel } from '#components/kit/acts/undo-line.tsx'
import { UNDO_WINDOW_MS, UNDO_WINDOW_SECONDS } from '#components/kit/acts/undo-window.ts'
import { useNowUntil } from '#components/kit/times/use-now-until.ts'
import { Button } from '#components/ui/button.tsx'
import type { TabNote } from './use-other-tabs.ts'

interface OtherTabToastProps {
  note: TabNote
  onUndo: () => void
  onDismiss: () => void
}

/** The latest decision that the person made in another tab, as long as it can be undone; or that it was undone there. */
export function OtherTabToast({ note, onUndo, onDismiss }: OtherTabToastProps) {
  const t = useTranslations('queue.otherTab')
  const toast = useTranslations('queue.toast')
  const acts = useTranslations('acts')
  const endsAt = note.at + UNDO_WINDOW_MS
  const left = endsAt - Math.max(note.at, useNowUntil(endsAt))
  if (left <= 0) return null
  return (
    <section
      aria-label={t('label')}
      className="flex animate-appear flex-wrap items-center gap-1.5 rounded-3 bg-raised py-2 ps-3 pe-1.5 shadow-pop forced-colors:border"
    >
      <p className="min-w-32 flex-1 wrap-anywhere text-ink">
        {note.type === 'decided'
          ? t('decided', { outcome: note.outcome, author: note.author })
          : t('undone', { author: note.author })}
      </p>
      {note.type === 'decided' && (
        <Button onPress={onUndo}>
          <UndoLabel
            of={toast('undoOf', { author: note.author })}
            undo={toast('undo')}
            widest={toast('undoWithin', { seconds: UNDO_WINDOW_SECONDS })}
          >
            {toast('undoWithin', { seconds: Math.ceil(left / 1000) })}
          </UndoLabel>
        </Button>
      )}
      <Button look="icon" aria-label={acts('dismiss')} onPress={onDismiss}>
        <X />
      </Button>
    </section>
  )
}
