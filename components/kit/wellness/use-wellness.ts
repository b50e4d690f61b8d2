'use client'
import { usePreferences } from '#components/preferences/preferences-context.tsx'

/** How a person protects themselves from what they have to look at. */
export function useWellness() {
  const { isMediaCovered, isMediaGrey, isMediaBlurred, coveredText } = usePreferences().preferences
  return {
    isMediaCovered,
    /** Whether pictures and films look otherwise than they are when they are first shown. */
    isMediaSoftened: isMediaGrey || isMediaBlurred,
    /** How they look then, as classes. */
    softened: `${isMediaGrey ? 'grayscale' : ''} ${isMediaBlurred ? 'blur-md' : ''}`,
    /** Whether a text waits behind a cover. */
    coversText: ({ isFlagged }: { isFlagged: boolean }) =>
      coveredText === 'all' || (coveredText === 'flagged' && isFlagged),
  }
}
