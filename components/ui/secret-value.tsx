'use client'
import { Copy } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

/** A secret that is shown only once, with a copy button. */
export function SecretValue({ label, secret }: { label: string; secret: string }) {
  const t = useTranslations('ui')
  const copy = useCopy()
  return (
    <div className="grid gap-1.5">
      <p className="font-firm text-ink">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-2 border border-line-control bg-sunken px-2 py-1.5 font-code text-small whitespace-pre-wrap wrap-anywhere text-ink"
      >
        {secret}
      </pre>
      <div className="flex flex-wrap items-center gap-2">
        <Button onPress={() => void copy(secret, t('secretCopied'))}>
          <Copy />
          {t('copySecret')}
        </Button>
        <span className="text-small text-ink-3">{t('shownOnce')}</span>
      </div>
    </div>
  )
}
