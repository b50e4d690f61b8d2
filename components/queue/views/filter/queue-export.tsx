'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ExportButton, useDownload } from '#components/kit/acts/export-button.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'

/** Downloads what the list shows; the export is logged. */
export function QueueExport() {
  const t = useTranslations('filters')
  const { input } = useQueueFilter()
  const exporting = useMutation(useTRPC().review.export.mutationOptions(useDownload(t('exported'))))
  return (
    <ExportButton look="bare" size="small" exporting={exporting} onPress={() => exporting.mutate(input)}>
      {t('export')}
    </ExportButton>
  )
}
