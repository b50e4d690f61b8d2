'use client'
import { type ReactNode, useState } from 'react'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'

/** What an act without undo breaks, and what its button says. */
export interface Question {
  title: string
  /** What it is about, such as its name. */
  about?: ReactNode
  means: ReactNode
  submit: string
  /** `primary` where nothing is lost. */
  look?: 'reject' | 'primary'
}

/** The dialogs of a page, one at a time; `dialog` is to be rendered by the page. */
export function useDialogs(errorMessageOf?: (error: unknown) => string | undefined) {
  const [opened, setOpened] = useState<{ draw: (close: () => void) => ReactNode }>()
  const close = () => setOpened(undefined)
  /** Opens what `draw` returns, until that calls `close`. */
  const open = (draw: (close: () => void) => ReactNode) => setOpened({ draw })

  /** Asks before an act that can't be undone. */
  function confirm({ title, about, means, submit, look = 'reject' }: Question, act: () => Promise<unknown>): void {
    open((close) => (
      <FormDialog
        title={title}
        submit={submit}
        look={look}
        errorMessageOf={errorMessageOf}
        onSubmit={() => act().then(close)}
        onClose={close}
      >
        {about !== undefined && (
          <p dir="auto" className="font-firm wrap-anywhere text-ink">
            {about}
          </p>
        )}
        <p>{means}</p>
      </FormDialog>
    ))
  }
  return { open, confirm, close, dialog: opened?.draw(close) }
}
