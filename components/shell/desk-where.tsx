'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { sectionOf } from '#components/kit/frame/sections.tsx'

/** The current section, as the page's heading. The queue shows more. */
export function DeskWhere({ queue }: { queue: ReactNode }) {
  const t = useTranslations('nav')
  const path = usePathname()
  if (path === '/queue') return queue
  const { section } = sectionOf(path) ?? {}
  return <h1 className="min-w-0 truncate ps-4 font-bold text-ink phone:ps-1">{section && t(section)}</h1>
}
