'use client'
import { SkipForward } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'

/** The empty list when everything left was skipped. */
export function AllSkipped({ count, onBringBack }: { count: number; onBringBack: () => void }) {
  const t = useTranslations('skip')
  return (
    <EmptyState
      icon={<SkipForward />}
      title={t('all', { count })}
      act={<Button onPress={onBringBack}>{t('again')}</Button>}
    >
      {t('allText')}
    </EmptyState>
  )
}
