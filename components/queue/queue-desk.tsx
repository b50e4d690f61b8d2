'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ReviewDesk } from './review-desk.tsx'
import { QueueStoreProvider } from './state/store/queue-store.tsx'

/** The queue for reviewers, and an explanation for everyone else. */
export function QueueDesk() {
  const t = useTranslations('queue')
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  if (me.reviews)
    return (
      <QueueStoreProvider>
        <ReviewDesk userId={me.userId} />
      </QueueStoreProvider>
    )

  return (
    <main className="flex bg-surface">
      <EmptyState icon={<Inbox />} title={t('noQueue.title')}>
        {t('noQueue.text')}
      </EmptyState>
    </main>
  )
}
