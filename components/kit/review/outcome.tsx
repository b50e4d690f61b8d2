'use client'
import { Check, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'

const LOOK = {
  approved: { icon: Check, colour: 'text-approve' },
  rejected: { icon: X, colour: 'text-reject' },
  dismissed: { icon: Check, colour: 'text-approve' },
  deleted: { icon: X, colour: 'text-reject' },
}

/** A decision's outcome: conveyed by icon, then word, then colour. */
export function OutcomeWord({ outcome }: { outcome: Outcome }) {
  const t = useTranslations('queue.outcomes')
  const { icon: Icon, colour } = LOOK[outcome]
  return (
    <span className={`inline-flex items-center gap-[3px] font-firm whitespace-nowrap ${colour}`}>
      <Icon className="size-3.5" />
      {t(outcome)}
    </span>
  )
}
