'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { Field } from '#components/ui/field.tsx'
import type { TranslationSettings } from '#server/modules/integrations/translations/schema.ts'
import { isAboutAddress } from '../services/use-services.tsx'
import { useWebhookErrorMessage } from '../webhooks/delivery-words.tsx'

interface TranslationDialogProps {
  settings: TranslationSettings
  onClose: () => void
  onDone: () => void
}

/** Sets or changes the service. A stored API key stays with its address unless another one is entered. */
export function TranslationDialog({ settings: { version, service }, onClose, onDone }: TranslationDialogProps) {
  const t = useTranslations('translationSettings')
  const [url, setUrl] = useState(service?.url ?? '')
  const [apiKey, setApiKey] = useState('')
  const errorMessageOf = useErrorMessage()
  const addressErrorOf = useWebhookErrorMessage()
  const look = { dir: 'ltr', autoComplete: 'off', spellCheck: false } as const

  async function send(): Promise<void> {
    await trpcClient.translations.change.mutate({
      version,
      service: { url: url.trim(), ...(apiKey !== '' && { apiKey }) },
    })
    onDone()
  }

  return (
    <FormDialog
      title={t('service')}
      submit={t('save')}
      errorMessageOf={(error) => (isAboutAddress(error) ? addressErrorOf(error) : errorMessageOf(error))}
      onSubmit={send}
      onClose={onClose}
    >
      <Field
        {...look}
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        required
        autoFocus
        maxLength={2_000}
        placeholder="https://translate.example.org"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <Field
        {...look}
        label={t('apiKey')}
        hint={t(service?.hasApiKey ? 'apiKeyKept' : 'apiKeyHint')}
        type="password"
        autoComplete="new-password"
        maxLength={1_000}
        value={apiKey}
        onChange={({ target }) => setApiKey(target.value)}
      />
    </FormDialog>
  )
}
