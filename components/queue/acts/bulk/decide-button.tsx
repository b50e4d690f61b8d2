'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'

interface DecideButtonProps {
  outcome: HeldOutcome
  act: 'approve' | 'reject'
  count: number
  onDecide: (outcome: HeldOutcome) => void
}

/** Decides on all items that a dialog lists. */
export function DecideButton({ outcome, act, count, onDecide }: DecideButtonProps) {
  const t = useTranslations('many')
  return (
    <Button look={act} aria-keyshortcuts={useShortcut(act)} onPress={() => onDecide(outcome)}>
      {t(`do.${outcome}`, { count })}
      <ActKeycap act={act} className="border-current! bg-transparent! text-current! phone:hidden" />
    </Button>
  )
}
