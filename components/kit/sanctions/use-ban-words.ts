'use client'
import { useTranslations } from 'use-intl'
import type { BanDone } from '#server/modules/spaces/sanctions/schema.ts'

/** Adds to what is said after a ban which spaces have no moderator now. */
export function useBanWords(): (words: string, done: BanDone) => string {
  const t = useTranslations('ban')
  return (words, { withoutModerator }) => {
    const [name] = withoutModerator
    return name === undefined ? words : `${words} ${t('unmoderated', { count: withoutModerator.length, name })}`
  }
}
