'use client'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'

/** How many items were skipped, and a button that brings them back. */
export function SkippedButton({ count, onBringBack }: { count: number; onBringBack: () => void }) {
  const t = useTranslations('skip')
  if (count === 0) return null
  return (
    <Button
      look="bare"
      size="small"
      className="px-1.5! text-small"
      aria-label={t('bringBack', { count })}
      onPress={onBringBack}
    >
      {t('count', { count })}
    </Button>
  )
}
