'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { Selection } from '../state/use-selection.ts'

/** In place of the outcomes, on an item that is decided already: the way to the next one. */
export function DecidedBar({ selection, onMove }: { selection: Selection; onMove: (by: 1 | -1) => void }) {
  const t = useTranslations('queue')
  const act = selection.neighbour(1) ? 'next' : 'previous'
  const shortcut = useShortcut(act)
  const by = act === 'next' ? 1 : -1
  if (!selection.neighbour(by)) return null
  return (
    <div className="border-t border-line-strong px-4 py-2.5 phone:p-2">
      <Button aria-keyshortcuts={shortcut} className="phone:h-11 phone:w-full" onPress={() => onMove(by)}>
        <ActKeycap act={act} className="phone:hidden" />
        {t(act === 'next' ? 'nextItem' : 'previousItem')}
      </Button>
    </div>
  )
}
