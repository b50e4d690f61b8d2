'use client'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { useTranslations } from 'use-intl'

/** Filters to spaces the person is a member of. */
export function MineChip({ isMine, onChange }: { isMine: boolean; onChange: (isMine: boolean) => void }) {
  const t = useTranslations('spaces')
  return (
    <ToggleButton
      isSelected={isMine}
      onChange={onChange}
      className="inline-flex h-6 items-center rounded-2 border border-dashed border-line-control px-2 whitespace-nowrap text-ink-2 hover:bg-hover coarse:h-9 selected:border-solid selected:border-accent selected:bg-selected selected:font-firm selected:text-ink forced-colors:selected:outline-2"
    >
      {t('mine')}
    </ToggleButton>
  )
}
