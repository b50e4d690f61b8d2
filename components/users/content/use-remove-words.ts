'use client'
import { useTranslations } from 'use-intl'

/** How many held and how many published entries something concerns. */
export interface EntryCounts {
  held: number
  published: number
}

/** Which acts remove these: what is held is rejected, what is published deleted. */
export function removalOf({ held, published }: EntryCounts): 'rejected' | 'deleted' | 'both' {
  if (published === 0) return 'rejected'
  return held === 0 ? 'deleted' : 'both'
}

/** The label of the button that removes them. */
export function useRemoveWords(): (counts: EntryCounts) => string {
  const t = useTranslations('users.decide')
  const many = useTranslations('many')
  return (counts) => {
    const { held, published } = counts
    const labels = {
      rejected: () => many('do.rejected', { count: held }),
      deleted: () => t('delete', { count: published }),
      both: () => t('rejectAndDelete', { held, published }),
    }
    return labels[removalOf(counts)]()
  }
}
