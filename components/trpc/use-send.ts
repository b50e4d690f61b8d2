'use client'
import { type MutationOptions, useQueryClient } from '@tanstack/react-query'

/** Sends a mutation that nobody watches: `useMutation` draws what calls it again with each step of the way. */
export function useSend<Data, Failure, Given>(
  options: MutationOptions<Data, Failure, Given>,
): (given: Given) => Promise<Data> {
  const queryClient = useQueryClient()
  return (given) => queryClient.getMutationCache().build(queryClient, options).execute(given)
}
