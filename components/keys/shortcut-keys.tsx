'use client'
import { memo } from 'react'
import { Keycap } from '#components/ui/keycap.tsx'
import type { KeyAct } from './keys.ts'
import { printedKeys } from './printed-keys.ts'
import { useCombo, useIsMac } from './use-own-keys.ts'

/** The keys of one combo, side by side. */
export function ShortcutKeys({ combo, className = '' }: { combo: string; className?: string }) {
  return printedKeys(combo, useIsMac()).map((key) => (
    <Keycap key={key} className={className}>
      {key}
    </Keycap>
  ))
}

/** The person's shortcut for an act; nothing if there is none. Memoised, so that it doesn't re-render when the act's handler changes. */
export const ActKeycap = memo(function ActKeycap({ act, className }: { act: KeyAct; className?: string }) {
  const combo = useCombo(act)
  return combo && <ShortcutKeys combo={combo} {...(className && { className })} />
})
