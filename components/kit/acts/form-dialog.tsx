'use client'
import { useMutation } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useErrorMessage } from './use-error-message.ts'

/** Loaded with the sheet, in which a secret that a form created is shown: one that can't be shown is lost. */
const ActForm = lazyPart(
  () => Promise.all([import('./act-form.tsx'), import('#components/ui/sheet.tsx')]).then(([{ ActForm }]) => ActForm),
  { onFailed: ({ onClose }) => onClose() },
)

/** What is missing in a form, in words: thrown by `onSubmit` before anything is sent. */
export class Incomplete extends Error {}

interface FormDialogProps
  extends Omit<ComponentProps<typeof ActForm>, 'isPending' | 'failure' | 'onSubmit' | 'children'> {
  /** Sends the form. If it fails, the dialog says why and keeps what was entered. */
  onSubmit: () => Promise<unknown>
  /** Why it failed, in words; undefined where a field says it. */
  errorMessageOf?: ((error: unknown) => string | undefined) | undefined
  /** The fields; a function gets the error, for a field that says what is wrong with it. */
  children: ReactNode | ((error: unknown) => ReactNode)
}

/** An `ActForm` that is loaded when it opens, and that shows whether its act is pending and why it failed. */
export function FormDialog({ onSubmit, errorMessageOf, children, ...form }: FormDialogProps) {
  const usualErrorMessageOf = useErrorMessage()
  const { mutate, isPending, error } = useMutation({ mutationFn: onSubmit })
  const failure = error instanceof Incomplete ? error.message : (errorMessageOf ?? usualErrorMessageOf)(error)
  return (
    <ActForm {...form} isPending={isPending} failure={failure} onSubmit={() => mutate()}>
      {typeof children === 'function' ? children(error) : children}
    </ActForm>
  )
}
