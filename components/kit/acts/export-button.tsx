'use client'
import { Download } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useActs } from '#components/keys/acts-context.tsx'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button, type ButtonProps } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { useErrorMessage } from './use-error-message.ts'

interface ExportButtonProps extends Pick<ButtonProps, 'look' | 'size'> {
  exporting: { error: unknown; isPending: boolean }
  onPress: () => void
  children: ReactNode
}

/** Exports what a page shows as a file; also from the palette. */
export function ExportButton({ exporting, onPress, children, ...rest }: ExportButtonProps) {
  useActs(exporting.isPending ? {} : { export: onPress })
  const errorId = useId()
  const failure = useErrorMessage()(exporting.error)
  return (
    <>
      <Button {...rest} isDisabled={exporting.isPending} onPress={onPress}>
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
