'use client'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { AskedDecision } from './use-decision.ts'

interface DecideAllHeldProps {
  userId: string
  onDecide: (asked: AskedDecision) => void
}

/** Approves or rejects all of the person's held items that the viewer reviews. */
export function DecideAllHeld(props: DecideAllHeldProps) {
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  return me.reviews ? <Buttons {...props} /> : null
}

function Buttons({ userId, onDecide }: DecideAllHeldProps) {
  const t = useTranslations('users.decide')
  const { data } = useQuery(useTRPC().review.matching.queryOptions({ authorId: userId }))
  if (!data || data.count === 0) return null
  const { count, isLowerBound } = data
  return (
    <span className="ms-auto flex flex-wrap justify-end gap-1.5 py-1">
      {(['approved', 'rejected'] as const).map((outcome) => (
        <Button key={outcome} size="small" onPress={() => onDecide({ outcome })}>
          {isLowerBound ? t(`allMost.${outcome}`) : t(`all.${outcome}`, { count })}
        </Button>
      ))}
    </span>
  )
}
