'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** Whether the desk reaches the server, as of its last look. */
export function Connection() {
  const t = useTranslations('shell')
  const format = useFormatter()
  const { isError, dataUpdatedAt } = useQuery(useTRPC().review.counts.queryOptions(undefined, { enabled: false }))

  return (
    <span className="flex items-center gap-1.5 px-2 text-ink-2 phone:hidden">
      <span
        aria-hidden
        className={`size-[7px] rounded-full ${isError ? 'bg-warn' : 'bg-approve'} forced-color-adjust-none`}
      />
      {isError ? t('notReached', { time: format.dateTime(dataUpdatedAt, { timeStyle: 'short' }) }) : t('connected')}
    </span>
  )
}
