'use client'
import { type MutationOptions, useQueryClient } from '@tanstack/react-query'

/** Sends a mutation without subscribing to it: `useMutation` re-renders its component with each state of the mutation. */
export function useSend<Data, Failure, Given>(
  options: MutationOptions<Data, Failure, Given>,
): (given: Given) => Promise<Data> {
  const queryClient = useQueryClient()
  return (given) => queryClient.getMutationCache().build(queryClient, options).execute(given)
}
