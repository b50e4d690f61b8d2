'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-context.ts'

interface SignalNamesProps {
  id: string
  communityId: string | null
}

/** Suggests the names of signals that content of the space has. Without them, any name can be written. */
export function SignalNames({ id, communityId }: SignalNamesProps) {
  const { data: names = [] } = useQuery(useTRPC().rules.signalNames.queryOptions({ communityId }))
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}
