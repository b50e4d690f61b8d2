import { keepPreviousData } from '@tanstack/react-query'

/** Options of a query that changes while typing: earlier rows stay until newer ones arrive, and outdated requests are aborted. */
export const KEEP_PREVIOUS = { placeholderData: keepPreviousData, trpc: { abortOnUnmount: true } } as const
