'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** Reads targets and claim times again. */
export function useReadAgain() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(trpc.targets.pathFilter())
}
