import { useTranslations } from 'use-intl'
import { useAnnounce } from './announcer.tsx'

/** Copies text, then announces `words`; or that the browser doesn't allow it. */
export function useCopy(): (text: string, words: string) => Promise<void> {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  return async (text, words) => {
    try {
      await navigator.clipboard.writeText(text)
      announce(words)
    } catch {
      announce(t('notCopied'))
    }
  }
}
