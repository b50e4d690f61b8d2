/** What is said where nothing can be relied on, not even the catalogue. */
export const PAGE_FAILURE = {
  pageTitle: 'This page could not be shown',
  pageText: 'Something went wrong at our end. Nothing you decided is lost.',
  tryAgain: 'Try again',
} as const
