'use client'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { saveCsv } from '#components/ui/save-csv.ts'
import type { InsightsInput } from '#server/modules/review/insights/schema.ts'

/** Downloads the figures; the export is logged. */
export function ExportFigures({ input }: { input: InsightsInput }) {
  const t = useTranslations('insights')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const exporting = useMutation(
    useTRPC().insights.export.mutationOptions({
      onSuccess: (file) => {
        saveCsv(file.fileName, file.csv)
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
