'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'

/** Updates the cached author facts after a note is added or deleted. */
export function useNotes(aboutUserId: string) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const deleting = useMutation(trpc.notes.delete.mutationOptions())

  function setNotes(notes: Note[]): void {
    queryClient.setQueriesData<ReviewItem>(trpc.review.item.pathFilter(), (read) =>
      read?.author.userId === aboutUserId ? { ...read, author: { ...read.author, notes } } : read,
    )
    // A response that was on its way doesn't include the change: refetch it.
    void queryClient.invalidateQueries({
      ...trpc.review.item.pathFilter(),
      predicate: ({ state }) => state.fetchStatus === 'fetching' && state.status !== 'error',
    })
  }

  return {
    setNotes,
    deleteNote: async (noteId: string): Promise<void> => {
      setNotes(await deleting.mutateAsync({ noteId }))
      await queryClient.invalidateQueries(trpc.users.pathFilter())
    },
  }
}
