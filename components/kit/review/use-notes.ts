'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { ReviewItem } from '#server/modules/review/queue/schema.ts'

/** What a new or a withdrawn note changes of what the desk has read of its author. */
export function useNotes(aboutUserId: string) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const deleting = useMutation(trpc.notes.delete.mutationOptions())

  function setNotes(notes: Note[]): void {
    queryClient.setQueriesData<ReviewItem>(trpc.review.item.pathFilter(), (read) =>
      read?.author.userId === aboutUserId ? { ...read, author: { ...read.author, notes } } : read,
    )
    // What was being read meanwhile does not know of it: it is read anew.
    void queryClient.invalidateQueries({
      ...trpc.review.item.pathFilter(),
      predicate: ({ state }) => state.fetchStatus === 'fetching' && state.status !== 'error',
    })
  }

  return {
    setNotes,
    takeBack: async (noteId: string): Promise<void> => {
      setNotes(await deleting.mutateAsync({ noteId }))
      await queryClient.invalidateQueries(trpc.users.pathFilter())
    },
  }
}
