'use client'
import { useTranslations } from 'use-intl'
import type { Appeal } from '#server/modules/review/appeals/schema.ts'

/** "Rejected comment in Ferry", "Ban". */
export function useMeasureName(): (statement: Appeal['statement']) => string {
  const t = useTranslations('appeals')
  return ({ measure, content, space }) => {
    const what = t(`measures.${measure}`, { type: content?.type ?? 'comment' })
    return space.scope === 'network' ? what : t('inSpace', { what, space: space.displayName })
  }
}
