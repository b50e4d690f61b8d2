'use client'
import { useTranslations } from 'use-intl'

const UNITS = [
  ['weeks', 10_080],
  ['days', 1_440],
  ['hours', 60],
  ['minutes', 1],
] as const

/** A duration in the largest unit that divides it: "30 minutes", "1 day". */
export function useHeldFor(): (minutes: number) => string {
  const t = useTranslations('filters.lengths')
  return (minutes) => {
    const [unit, length] = UNITS.find(([, length]) => minutes % length === 0) ?? UNITS[3]
    return t(unit, { count: minutes / length })
  }
}
