'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ClosedDoor } from '#components/queue/reported/closed-door.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** A conversation, opened with a reason that is kept in the log. */
export function ChannelDoor({ channelId }: { channelId: string }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const opening = useMutation(
    trpc.messages.open.mutationOptions({
      onSuccess: () => queryClient.resetQueries(trpc.messages.search.pathFilter()),
    }),
  )
  return (
    <div className="px-[18px] py-4 phone:px-3">
      <ClosedDoor
        isPending={opening.isPending}
        error={opening.error}
        onOpen={(reason) => opening.mutate({ channelId, reason })}
      />
    </div>
  )
}
