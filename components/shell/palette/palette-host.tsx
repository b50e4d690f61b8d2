'use client'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { PALETTE_COMBO } from '#components/keys/palette-combo.ts'
import { comboOf } from '#components/ui/keys.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'

const loadPalette = () => import('./palette.tsx')
const Palette = lazyPart(() => loadPalette().then(({ Palette }) => Palette), { onFailed: ({ onClose }) => onClose() })

const OpenPalette = createContext({ open: () => {}, load: () => {} })

/** Opens the palette, or preloads it. */
export const usePalette = () => useContext(OpenPalette)

const HOST = { load: () => void loadPalette().catch(() => {}) }

/** Handles the palette's shortcut, and renders it while it is open. */
export function PaletteHost({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const [host] = useState(() => ({ ...HOST, open: () => setOpen(true) }))

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || comboOf(event) !== PALETTE_COMBO) return
      event.preventDefault()
      if (!event.repeat) setOpen((before) => !before)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <OpenPalette value={host}>
      {children}
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </OpenPalette>
  )
}
