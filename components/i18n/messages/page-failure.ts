/** The text of the last-resort error page, which can't rely on the catalogue. */
export const PAGE_FAILURE = {
  pageTitle: 'Couldn’t load this page',
  pageText: 'Something went wrong on our side. Your decisions are safe.',
  tryAgain: 'Try again',
} as const
