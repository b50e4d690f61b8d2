'use client'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { NavLink } from './nav-link.tsx'
import { useSections } from './use-sections.ts'

/** The desk's sections, listed below the queue. */
export function SectionLinks() {
  const t = useTranslations('nav')
  const { sections, current } = useSections()
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const [firstPart] = me.settings
  return sections.map(({ section, href, icon }) => (
    <NavLink
      key={section}
      // Without the redirect of the settings to their first page.
      href={section === 'settings' && firstPart ? `/settings/${firstPart}` : href}
      current={current?.section === section ? 'page' : undefined}
      look="h-[30px] mx-2 aria-[current]:bg-selected aria-[current]:text-ink aria-[current]:font-bold narrow:justify-center"
    >
      {icon}
      <span className="narrow:sr-only">{t(section)}</span>
      {section === 'appeals' && <AppealsCount />}
    </NavLink>
  ))
}

/** How many appeals the person could decide on. */
function AppealsCount() {
  const { data } = useQuery(useTRPC().appeals.count.queryOptions(undefined, { refetchInterval: 60_000 }))
  return <span className="ms-auto text-small narrow:hidden">{data?.count || ''}</span>
}
