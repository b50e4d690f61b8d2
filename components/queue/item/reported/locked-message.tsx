'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { OpenConversationForm } from '#components/kit/acts/open-conversation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemOptions } from '../../state/queue-queries.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'

/** A message of a conversation the person is not in. Opening it requires a reason, which is recorded in the audit log. */
export function LockedMessage({ item }: { item: QueueItem }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { search } = useQueueFilter()
  const opening = useMutation(
    trpc.review.openConversation.mutationOptions({
      onSuccess: (opened) => queryClient.setQueryData(itemOptions(trpc, item, search.view).queryKey, opened),
    }),
  )
  return (
    <OpenConversationForm
      isPending={opening.isPending}
      error={opening.error}
      onOpen={(reason) => opening.mutate({ messageId: item.subjectId, reason })}
    />
  )
}
