'use client'
import { useTranslations } from 'use-intl'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'

/** What a finished bulk did, or undid, in sentences. */
export function useResultMessage(): (progress: BulkProgress) => string {
  const t = useTranslations('many.said')
  const ofSanctions = useTranslations('many.sanctions')
  return ({ outcome, done, undone, refused, isUndone, sanctions }) => {
    const said = isUndone ? t('takenBack', { count: undone }) : t(`done.${outcome}`, { count: done })
    const sentences = [said]
    if (refused.length > 0) sentences.push(t('refused', { count: refused.length }))
    if (sanctions) {
      const [act, count] = isUndone ? (['lifted', sanctions.undone] as const) : (['done', sanctions.done] as const)
      sentences.push(`${ofSanctions(`${sanctions.sanction}.${act}`, { count })}.`)
    }
    return sentences.join(' ')
  }
}
