'use client'
import { CircleAlert } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { StillPage } from './still-page.tsx'

export function PageFailure({ onTryAgain }: { onTryAgain: () => void }) {
  const t = useTranslations('failure')
  return (
    <StillPage
      icon={<CircleAlert />}
      title={t('pageTitle')}
      act={<Button onPress={onTryAgain}>{t('tryAgain')}</Button>}
    >
      {t('pageText')}
    </StillPage>
  )
}
