'use client'
import { SearchX } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page } from '#components/ui/page.tsx'

/** Inside the desk: what doesn't exist, or what the person may not see. */
export function DeskNotFound() {
  const t = useTranslations('failure')
  return (
    <Page>
      <EmptyState icon={<SearchX />} title={t('notFoundTitle')} act={<Link href="/">{t('toStart')}</Link>}>
        {t('notFoundText')}
      </EmptyState>
    </Page>
  )
}
