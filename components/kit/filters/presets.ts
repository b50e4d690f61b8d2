import { addDays } from './written-between.ts'

export const PRESETS = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const
export type Preset = (typeof PRESETS)[number]

/** The preset of a digit, counting from 1. */
export function presetOf(key: string): Preset | undefined {
  return /^[1-9]$/.test(key) ? PRESETS[Number(key) - 1] : undefined
}

/** The days of a preset, relative to a day of the zone's calendar. */
export function presetDays(preset: Preset, today: string): { startDate: string; endDate: string } {
  const firstOfMonth = `${today.slice(0, 8)}01`
  switch (preset) {
    case 'today':
      return { startDate: today, endDate: today }
    case 'yesterday':
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) }
    case 'last7':
      return { startDate: addDays(today, -6), endDate: today }
    case 'last30':
      return { startDate: addDays(today, -29), endDate: today }
    case 'thisMonth':
      return { startDate: firstOfMonth, endDate: today }
    case 'lastMonth': {
      const endDate = addDays(firstOfMonth, -1)
      return { startDate: `${endDate.slice(0, 8)}01`, endDate }
    }
  }
}
