'use client'
import { usePreferences } from '#components/preferences/preferences-context.tsx'

/** The person's preferences for protection from disturbing content. */
export function useWellness() {
  const { isMediaCovered, isMediaGrey, isMediaBlurred, coveredText } = usePreferences().preferences
  return {
    isMediaCovered,
    /** Whether images and videos are softened when they are first shown. */
    isMediaSoftened: isMediaGrey || isMediaBlurred,
    /** The softening as classes. */
    softened: `${isMediaGrey ? 'grayscale' : ''} ${isMediaBlurred ? 'blur-md' : ''}`,
    /** Whether the text starts hidden. */
    coversText: ({ isFlagged }: { isFlagged: boolean }) =>
      coveredText === 'all' || (coveredText === 'flagged' && isFlagged),
  }
}
