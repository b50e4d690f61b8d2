'use client'
import type { ReactNode } from 'react'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'

interface ItemLineProps {
  children: ReactNode
  act: 'group' | 'earlier' | 'wave'
  label: string
  onOpen: () => void
}

/** Above an item, or for a wave below it: something that a key opens. In a low window it takes one line, and is whole while its button has the focus. */
export function ItemLine({ children, act, label, onOpen }: ItemLineProps) {
  return (
    <div
      className={`group/line flex shrink-0 items-center gap-2 ${act === 'wave' ? 'border-t' : 'border-b'} border-line ps-5 pe-3 py-1 text-small text-ink-2 low:py-0 phone:ps-3`}
    >
      <p className="min-w-0 flex-1 low:truncate low:group-focus-within/line:whitespace-normal">{children}</p>
      <Button look="bare" size="small" aria-keyshortcuts={useShortcut(act)} onPress={onOpen}>
        {label}
        <ActKeycap act={act} className="phone:hidden" />
      </Button>
    </div>
  )
}
