'use client'
import { Copy } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { NativeButton } from './native-button.tsx'
import { useCopy } from './use-copy.ts'

/** An id for use in programs, with a copy button. */
export function CopyId({ id }: { id: string }) {
  const t = useTranslations('ui')
  const copy = useCopy()
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="truncate font-code text-small text-ink-2">{id}</code>
      <NativeButton
        aria-label={t('copy', { id })}
        onPress={() => void copy(id, t('copied', { id }))}
        className="grid size-6 shrink-0 place-items-center rounded-1 text-ink-3 hover:bg-hover hover:text-ink coarse:size-10"
      >
        <Copy className="size-3.5" />
      </NativeButton>
    </span>
  )
}
