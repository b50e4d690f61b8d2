'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SECTIONS, sectionOf } from './sections.tsx'

/** The sections the person may open, and the current one. */
export function useSections() {
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const current = sectionOf(usePathname())
  return { sections: SECTIONS.filter(({ section }) => me.opens.includes(section)), current }
}
