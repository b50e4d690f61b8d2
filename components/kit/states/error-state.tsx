'use client'
import { CircleAlert } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { useTimes } from '../times/use-times.ts'

/** A list from React Query. */
export interface ReadList {
  data: unknown
  error: unknown
  dataUpdatedAt: number
  isFetchNextPageError?: boolean
  fetchNextPage?: () => Promise<unknown>
  refetch: () => Promise<unknown>
}

/** A list that could not be read. Earlier rows stay, and the banner says since when. */
export function ErrorState({ list }: { list: ReadList }) {
  const t = useTranslations('failure')
  const times = useTimes()
  const reason = useErrorReason(list.error)
  const again = (
    <Button onPress={() => void (list.isFetchNextPageError ? list.fetchNextPage?.() : list.refetch())}>
      {t('tryAgain')}
    </Button>
  )

  if (list.data) {
    return (
      <Banner kind="warn" acts={again}>
        {t.rich('listAsOf', {
          b: (text) => <b>{text}</b>,
          time: times.time(new Date(list.dataUpdatedAt).toISOString()),
          reason,
        })}
      </Banner>
    )
  }
  return (
    <EmptyState icon={<CircleAlert />} title={t('listTitle')} act={again}>
      {reason}
    </EmptyState>
  )
}

/** The reason for an error as far as known, in a sentence. */
export function useErrorReason(error: unknown): string {
  const t = useTranslations('failure')
  const { code, httpStatus, requestId } = toRequestError(error)
  if (httpStatus === undefined) return t('unreachable')
  if (code === 'UNPROCESSABLE_CONTENT' || code === 'BAD_REQUEST') return t('invalid')
  if (code === 'FORBIDDEN') return t('forbidden')
  if (code === 'NOT_FOUND') return t('notFound')
  return t('unexpected', { requestId: requestId ?? '' })
}
