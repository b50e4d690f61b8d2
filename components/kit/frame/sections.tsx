import {
  Building2,
  ChartLine,
  Hash,
  MessageSquare,
  Reply,
  ScrollText,
  SlidersHorizontal,
  UserRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Section } from '#server/modules/accounts/access/schema.ts'

interface SectionLink {
  section: Section
  href: string
  icon: ReactNode
}

/** The desk's sections besides the queue, in the order of the navigation. */
export const SECTIONS: readonly SectionLink[] = [
  { section: 'appeals', href: '/appeals', icon: <Reply /> },
  { section: 'channels', href: '/channels', icon: <Hash /> },
  { section: 'messages', href: '/messages', icon: <MessageSquare /> },
  { section: 'communities', href: '/communities', icon: <Building2 /> },
  { section: 'users', href: '/users', icon: <UserRound /> },
  { section: 'insights', href: '/insights', icon: <ChartLine /> },
  { section: 'audit', href: '/audit', icon: <ScrollText /> },
  { section: 'settings', href: '/settings', icon: <SlidersHorizontal /> },
]

/** The section of a page; undefined for the queue. */
export function sectionOf(path: string): SectionLink | undefined {
  return SECTIONS.find(({ href }) => path === href || path.startsWith(`${href}/`))
}
