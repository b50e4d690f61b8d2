'use client'
import { useTranslations } from 'use-intl'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'

/** What a finished bulk did, or undid, in sentences. */
export function useResultMessage(): (progress: BulkProgress) => string {
  const t = useTranslations('many.said')
  const ofBans = useTranslations('many.bans')
  return ({ outcome, done, undone, refused, isUndone, bans }) => {
    const said = isUndone ? t('takenBack', { count: undone }) : t(`done.${outcome}`, { count: done })
    const sentences = [said]
    if (refused.length > 0) sentences.push(t('refused', { count: refused.length }))
    if (bans)
      sentences.push(`${isUndone ? ofBans('lifted', { count: bans.undone }) : ofBans('done', { count: bans.done })}.`)
    return sentences.join(' ')
  }
}
