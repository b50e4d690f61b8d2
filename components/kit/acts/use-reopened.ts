'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { noteOpenDialog, takeOpenDialog } from '#components/trpc/open-dialog.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'

/** Opens what was open when the session ended, after the same person signed in again: the text in it is kept. */
export function useReopened(open: string | undefined, reopen: (open: string) => void): void {
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const { userId } = me
  const take = useEffectEvent(() => {
    const kept = takeOpenDialog(userId)
    if (kept) reopen(kept)
  })
  useEffect(() => take(), [])
  useEffect(() => {
    noteOpenDialog(open === undefined ? undefined : { userId, open })
    return () => noteOpenDialog(undefined)
  }, [open, userId])
}
