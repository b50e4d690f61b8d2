'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { SettingsSection } from '../settings-page.tsx'

/** The files of the activity report, one per day, to download. */
export function ReportFiles() {
  const t = useTranslations('flags')
  const format = useFormatter()
  const dayOf = useReportDay()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const { reports } = useTRPC()
  const [token, setToken] = useState<string>()
  const read = useQuery(reports.list.queryOptions(token ? { token } : {}, { placeholderData: keepPreviousData }))
  const opening = useMutation(
    reports.open.mutationOptions({
      // The response is an attachment, so the page stays.
      onSuccess: (path) => location.assign(path),
      onError: (error) => announce(errorMessageOf(error) ?? ''),
    }),
  )
  const pager = pagerProps({ data: read.data?.paging, isPlaceholderData: read.isPlaceholderData }, setToken)

  return (
    <SettingsSection id="reports" title={t('files')}>
      <QueryState query={read} />
      {read.data?.reports.length === 0 && <p className="mt-1">{t('noFiles')}</p>}
      <ul>
        {read.data?.reports.map(({ fileId, fileName, fileSize }) => (
          <li key={fileId} className="flex min-h-table-row flex-wrap items-center gap-x-3 border-b border-line">
            <span className="font-firm text-ink">{dayOf(fileId)}</span>
            <span className="text-ink-3">
              {t('kilobytes', { size: format.number(fileSize / 1_000, { maximumFractionDigits: 1 }) })}
            </span>
            <Button
              look="bare"
              className="ms-auto"
              aria-label={t('downloadOf', { name: fileName })}
              onPress={() => opening.mutate({ fileId })}
            >
              <Download />
              {t('download')}
            </Button>
          </li>
        ))}
      </ul>
      {(pager.onNext || pager.onPrevious) && (
        <div className="flex pt-1">
          <Pager {...pager} />
        </div>
      )}
    </SettingsSection>
  )
}

/** The day of a report in words: a UTC day, whatever zone is in force. */
export function useReportDay(): (fileId: string) => string {
  const format = useFormatter()
  return (fileId) =>
    format.dateTime(new Date(`${fileId}T00:00:00Z`), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
}
