'use client'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { useQueueStore } from '../state/store/queue-store.tsx'

/** How many items were skipped, and a button that brings them back. */
export function SkippedButton({ count }: { count: number }) {
  const t = useTranslations('skip')
  const { dispatch } = useQueueStore()
  if (count === 0) return null
  return (
    <Button
      look="bare"
      size="small"
      className="px-1.5! text-small"
      aria-label={t('bringBack', { count })}
      onPress={() => dispatch({ type: 'unskipped' })}
    >
      {t('count', { count })}
    </Button>
  )
}
