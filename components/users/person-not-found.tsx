'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { SearchX, UserRoundX } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page } from '#components/ui/page.tsx'

/** A link to somebody who doesn't exist, or whom the viewer may not see. */
export function PersonNotFound() {
  const t = useTranslations('users')
  const failure = useTranslations('failure')
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  if (!me.opens.includes('users')) {
    return (
      <Page>
        <EmptyState
          icon={<SearchX />}
          title={failure('notFoundTitle')}
          act={<Link href="/">{failure('toStart')}</Link>}
        >
          {failure('notFoundText')}
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page>
      <EmptyState icon={<UserRoundX />} title={t('notFound')} act={<Link href="/users">{t('search')}</Link>}>
        {t('notFoundText')}
      </EmptyState>
    </Page>
  )
}
