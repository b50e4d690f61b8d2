'use client'
import { Copy } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { useCopy } from '#components/ui/use-copy.ts'

/** A secret that is shown only once: it stays until the person confirms that they have saved it. */
export function EndpointSecretDialog({ secret, onKept }: { secret: string; onKept: () => void }) {
  const t = useTranslations('webhooks')
  const copy = useCopy()
  return (
    <div className="mt-2.5 rounded-2 bg-sunken px-2.5 py-2 forced-colors:border">
      <p className="font-firm text-ink">{t('secretOnce')}</p>
      <code dir="ltr" className="block py-1.5 font-code wrap-anywhere text-ink select-all">
        {secret}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button autoFocus onPress={() => void copy(secret, t('secretCopied'))}>
          <Copy />
          {t('copySecret')}
        </Button>
        <Button look="bare" onPress={onKept}>
          {t('kept')}
        </Button>
      </div>
    </div>
  )
}
