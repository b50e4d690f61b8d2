/** What is said where nothing can be relied on, not even the catalogue. */
export const PAGE_FAILURE = {
  pageTitle: 'Couldn’t load this page',
  pageText: 'Something went wrong on our side. Your decisions are safe.',
  tryAgain: 'Try again',
} as const
