'use client'
import { useSyncExternalStore } from 'react'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { type KeyAct, QUEUE_KEYS } from './keys.ts'
import { combosInForce, type OwnKeys } from './own-keys.ts'
import { shortcutOf } from './printed-keys.ts'

/** The person's own shortcuts. */
export function useOwnKeys(): OwnKeys {
  return usePreferences().preferences
}

/** The person's shortcut for an act; undefined if its keys are switched off. */
export function useCombo(act: KeyAct): string | undefined {
  const own = useOwnKeys()
  const named = Object.values(QUEUE_KEYS)
    .flat()
    .find((key) => key.act === act)
  return named && combosInForce(act, named.combos, own)[0]
}

/** The person's shortcut for an act as `aria-keyshortcuts` has it; undefined if its keys are switched off. */
export function useShortcut(act: KeyAct): string | undefined {
  const combo = useCombo(act)
  return combo && shortcutOf(combo)
}

/** Whether the keyboard is Apple's; false on the server, where this is unknown. */
export function useIsMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => /^(Mac|iP)/.test(navigator.platform),
    () => false,
  )
}
