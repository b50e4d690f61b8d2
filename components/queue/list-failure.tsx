'use client'
import { CircleAlert } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { failureOf } from '#components/trpc/failure.ts'
import { Button } from '#components/ui/button.tsx'
import { Still } from '#components/ui/still.tsx'
import { Strip } from '#components/ui/strip.tsx'
import { useTimes } from './use-times.ts'

/** A list as react-query has it. */
interface ReadList {
  data: unknown
  error: unknown
  dataUpdatedAt: number
  isFetchNextPageError?: boolean
  fetchNextPage?: () => Promise<unknown>
  refetch: () => Promise<unknown>
}

/** A list could not be read. What was read before stays, and the strip says since when. */
export function ListFailure({ list }: { list: ReadList }) {
  const t = useTranslations('failure')
  const times = useTimes()
  const reason = useReason(list.error)
  const again = (
    <Button onPress={() => void (list.isFetchNextPageError ? list.fetchNextPage?.() : list.refetch())}>
      {t('tryAgain')}
    </Button>
  )

  if (list.data) {
    return (
      <Strip kind="warn" acts={again}>
        {t.rich('listAsOf', {
          b: (text) => <b>{text}</b>,
          time: times.time(new Date(list.dataUpdatedAt).toISOString()),
          reason,
        })}
      </Strip>
    )
  }
  return (
    <Still icon={<CircleAlert />} title={t('listTitle')} act={again}>
      {reason}
    </Still>
  )
}

/** What is known of why, in a sentence. */
export function useReason(error: unknown): string {
  const t = useTranslations('failure')
  const { code, httpStatus, requestId } = failureOf(error)
  if (httpStatus === undefined) return t('unreachable')
  if (code === 'UNPROCESSABLE_CONTENT' || code === 'BAD_REQUEST') return t('invalid')
  if (code === 'FORBIDDEN') return t('forbidden')
  if (code === 'NOT_FOUND') return t('notFound')
  return t('unexpected', { requestId: requestId ?? '' })
}
