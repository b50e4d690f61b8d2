'use client'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { useQueueFilter } from '../use-queue-filter.ts'

/** Downloads what the list shows; the export is logged. */
export function ExportButton() {
  const t = useTranslations('filters')
  const { input } = useQueueFilter()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const exporting = useMutation(
    useTRPC().review.export.mutationOptions({
      onSuccess: (path) => {
        // The response is an attachment, so the page stays.
        location.assign(path)
        announce(t('exported'))
      },
    }),
  )
  const failure = errorMessageOf(exporting.error)
  return (
    <>
      <Button look="bare" size="small" isDisabled={exporting.isPending} onPress={() => exporting.mutate(input)}>
        <Download className="size-3.5" />
        {t('export')}
      </Button>
      {failure && <FormError id="queue-export-failure">{failure}</FormError>}
    </>
  )
}
