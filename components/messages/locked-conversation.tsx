'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { OpenConversationForm } from '#components/kit/acts/open-conversation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** A conversation that is opened with a reason, which is recorded in the audit log. */
export function LockedConversation({ channelId }: { channelId: string }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const opening = useMutation(
    trpc.messages.open.mutationOptions({
      onSuccess: () => queryClient.resetQueries(trpc.messages.search.pathFilter()),
    }),
  )
  return (
    <div className="px-[18px] py-4 phone:px-3">
      <OpenConversationForm
        isPending={opening.isPending}
        error={opening.error}
        onOpen={(reason) => opening.mutate({ channelId, reason })}
      />
    </div>
  )
}
