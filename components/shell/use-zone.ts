'use client'
import { useQueryState } from 'nuqs'
import { parseAsZone } from './parse-as-zone.ts'
import { usePreferences } from './preferences-context.tsx'

/** The zone in force: the link's own, else the person's. */
export function useZone(): { zone: string; ownZone: string } {
  const { preferences } = usePreferences()
  const [linked] = useQueryState('timeZone', parseAsZone)
  const ownZone = preferences.zone ?? 'UTC'
  return { zone: linked ?? ownZone, ownZone }
}
