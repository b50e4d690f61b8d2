'use client'
import { ArrowDownUp } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useWarn } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { LazyOrderList } from './lazy-order-list.ts'

interface OrderButtonProps {
  labels: { start: string; done: string }
  isOrdering: boolean
  onChange: (isOrdering: boolean) => void
}

/** What moves items is loaded before the list changes, so that no list is missing for a moment. */
export function OrderButton({ labels, isOrdering, onChange }: OrderButtonProps) {
  const shell = useTranslations('shell')
  const warn = useWarn()
  const start = () =>
    LazyOrderList.preload().then(
      () => onChange(true),
      () => warn(shell('notLoaded')),
    )
  return (
    <Button onPress={() => (isOrdering ? onChange(false) : void start())}>
      <ArrowDownUp />
      {isOrdering ? labels.done : labels.start}
    </Button>
  )
}
