'use client'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { FailureIcon } from './failure-icon.tsx'
import { MessagePage } from './message-page.tsx'

export function PageError({ onTryAgain }: { onTryAgain: () => void }) {
  const t = useTranslations('failure')
  return (
    <MessagePage
      icon={<FailureIcon />}
      title={t('pageTitle')}
      act={<Button onPress={onTryAgain}>{t('tryAgain')}</Button>}
    >
      {t('pageText')}
    </MessagePage>
  )
}
