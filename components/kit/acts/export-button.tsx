'use client'
import { Download } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button, type ButtonProps } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { useErrorMessage } from './use-error-message.ts'

interface ExportButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'onPress'> {
  exporting: { error: unknown; isPending: boolean }
  children: ReactNode
}

/** Exports what a page shows as a file. */
export function ExportButton({ exporting, children, ...rest }: ExportButtonProps) {
  const errorId = useId()
  const failure = useErrorMessage()(exporting.error)
  return (
    <>
      <Button {...rest} isDisabled={exporting.isPending}>
        <Download className={rest.size === 'small' ? 'size-3.5' : ''} />
        {children}
      </Button>
      {failure && <FormError id={errorId}>{failure}</FormError>}
    </>
  )
}

/** Options of an export that answers with the path of the file. */
export function useDownload(said: string) {
  const announce = useAnnounce()
  return {
    onSuccess: (path: string) => {
      // The response is an attachment, so the page stays.
      location.assign(path)
      announce(said)
    },
  }
}
