'use client'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'

interface ViewFormProps {
  /** The label of the submit button. */
  act: string
  name?: string
  /** Whether the form offers sharing. */
  mayShare?: boolean
  saving: { isPending: boolean; isError: boolean }
  onSubmit: (view: { name: string; isShared: boolean }) => void
}

/** The name of a view, and whether it is shared with all reviewers. */
export function ViewForm({ act, name = '', mayShare = false, saving, onSubmit }: ViewFormProps) {
  const t = useTranslations('views')
  const id = useId()
  return (
    <form
      className="grid gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        onSubmit({ name: String(form.get('name')).trim(), isShared: form.has('shared') })
      }}
    >
      <label htmlFor={id} className="font-firm text-ink">
        {t('name')}
      </label>
      <input
        id={id}
        name="name"
        defaultValue={name}
        required
        pattern=".*\S.*"
        maxLength={60}
        // biome-ignore lint/a11y/noAutofocus: people open it in order to type
        autoFocus
        className="h-control min-w-0 rounded-2 border border-line-control bg-raised px-2 text-ink"
      />
      {mayShare && (
        <label className="flex min-h-6 items-center gap-2">
          <input type="checkbox" name="shared" className="size-4 accent-(--accent)" />
          {t('forAll')}
        </label>
      )}
      {saving.isError && (
        <p role="alert" className="text-reject">
          {t('failed')}
        </p>
      )}
      <Button type="submit" look="primary" isDisabled={saving.isPending} className="justify-self-start">
        {act}
      </Button>
    </form>
  )
}
