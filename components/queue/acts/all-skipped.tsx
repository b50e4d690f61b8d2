'use client'
import { SkipForward } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { useQueueStore } from '../state/store/queue-store.tsx'

/** The empty list when everything left was skipped. */
export function AllSkipped({ count }: { count: number }) {
  const t = useTranslations('skip')
  const { dispatch } = useQueueStore()
  return (
    <EmptyState
      icon={<SkipForward />}
      title={t('all', { count })}
      act={<Button onPress={() => dispatch({ type: 'unskipped' })}>{t('again')}</Button>}
    >
      {t('allText')}
    </EmptyState>
  )
}
