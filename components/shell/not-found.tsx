'use client'
import { SearchX } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { MessagePage } from './message-page.tsx'

export function NotFound() {
  const t = useTranslations('failure')
  return (
    <MessagePage icon={<SearchX />} title={t('notFoundTitle')} act={<Link href="/">{t('toStart')}</Link>}>
      {t('notFoundText')}
    </MessagePage>
  )
}
