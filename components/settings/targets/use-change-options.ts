'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'

/** Options of mutations here: announces a success, and reads targets and claim times again. */
export function useChangeOptions(said: string) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return {
    onSuccess: () => announce(said),
    onSettled: () => queryClient.invalidateQueries(trpc.targets.pathFilter()),
  }
}
