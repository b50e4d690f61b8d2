'use client'
import { Search } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { PALETTE_COMBO } from '#components/keys/palette-combo.ts'
import { ShortcutKeys } from '#components/keys/shortcut-keys.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'
import { usePalette } from './palette-host.tsx'

/** Looks like a field and opens the palette; on a phone only an icon. */
export function PaletteButton() {
  const t = useTranslations('palette')
  const { open, load } = usePalette()
  return (
    <NativeButton
      onPress={open}
      onPointerEnter={load}
      onFocus={load}
      className="flex h-control w-75 items-center gap-2 rounded-2 border border-line-control bg-raised px-2 text-ink-3 hover:bg-hover tablet:w-58 phone:size-10 phone:w-10 phone:justify-center phone:border-transparent phone:bg-transparent phone:text-ink-2"
    >
      <Search />
      <span className="flex-1 truncate text-start phone:sr-only">{t('label')}</span>
      <span className="flex gap-[3px] narrow:hidden">
        <ShortcutKeys combo={PALETTE_COMBO} />
      </span>
    </NativeButton>
  )
}
