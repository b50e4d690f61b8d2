'use client'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { InsightsFile, InsightsInput } from '#server/modules/review/insights/schema.ts'

/** Downloads the figures; the export is logged. */
export function ExportFigures({ input }: { input: InsightsInput }) {
  const t = useTranslations('insights')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const exporting = useMutation(
    useTRPC().insights.export.mutationOptions({
      onSuccess: (file) => {
        save(file)
        announce(t('exported'))
      },
    }),
  )
  const failure = errorMessageOf(exporting.error)
  return (
    <span className="ms-auto flex flex-wrap items-center gap-2">
      {failure && <FormError id="insights-export-failure">{failure}</FormError>}
      <Button isDisabled={exporting.isPending} onPress={() => exporting.mutate(input)}>
        <Download />
        {t('csv')}
      </Button>
    </span>
  )
}

/** With a byte order mark, by which spreadsheets know UTF-8. */
function save({ fileName, csv }: InsightsFile): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
