'use client'
import { useTranslations } from 'use-intl'
import { NativeButton } from '#components/ui/native-button.tsx'

/** Filters to spaces the person is a member of. */
export function MineChip({ isMine, onChange }: { isMine: boolean; onChange: (isMine: boolean) => void }) {
  const t = useTranslations('spaces')
  return (
    <NativeButton
      aria-pressed={isMine}
      onPress={() => onChange(!isMine)}
      className="inline-flex h-6 items-center rounded-2 border border-dashed border-line-control px-2 whitespace-nowrap text-ink-2 hover:bg-hover coarse:h-9 aria-pressed:border-solid aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:font-firm aria-pressed:text-ink forced-colors:aria-pressed:outline-2"
    >
      {t('mine')}
    </NativeButton>
  )
}
