'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Ellipsis, Flag, Inbox } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { tabsOf } from '#components/kit/frame/tabs-of.ts'
import { useSections } from '#components/kit/frame/use-sections.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'

const TAB =
  'grid place-content-center justify-items-center gap-0.5 text-[10.5px] leading-[14px] text-ink-3 no-underline aria-[current]:font-bold aria-[current]:text-accent aria-[current]:shadow-[inset_0_2px_var(--accent)] [&_.lucide]:size-5 forced-colors:aria-[current]:outline-2 forced-colors:aria-[current]:-outline-offset-2 focus-visible:-outline-offset-2'

const OTHER_VIEWS = ['mine', 'escalated'] as const

/** The navigation of small screens, at the bottom: the queue, what is reported, messages, users, and everything else. */
export function QueueTabs() {
  const t = useTranslations('nav')
  const { search } = useQueueFilter()
  const go = useNavigate()
  const { sections, current } = useSections()
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const isQueue = usePathname() === '/queue'
  const isReported = isQueue && search.view === 'reported'
  const { tabs, rest } = tabsOf(sections, me.reviews)
  const others = [
    ...(me.reviews ? OTHER_VIEWS.map((view) => ({ id: toQueuePath({ view }), label: t(view) })) : []),
    ...rest.map(({ section, href }) => ({ id: href, label: t(section) })),
  ]
  const isInRest = rest.some(({ section }) => section === current?.section)

  return (
    <nav
      aria-label={t('label')}
      className="hidden auto-cols-fr grid-flow-col border-t border-line-strong bg-sunken phone:grid"
    >
      {me.reviews && (
        <>
          <Tab href="/queue" isCurrent={isQueue && !isReported} icon={<Inbox />}>
            {t('queue')}
          </Tab>
          <Tab href={toQueuePath({ view: 'reported' })} isCurrent={isReported} icon={<Flag />}>
            {t('reported')}
          </Tab>
        </>
      )}
      {tabs.map(({ section, href, icon }) => (
        <Tab key={section} href={href} isCurrent={current?.section === section} icon={icon}>
          {t(section)}
        </Tab>
      ))}
      {others.length > 0 && (
        <ChoiceMenu
          label={t('more')}
          choices={others}
          chosen={isQueue ? toQueuePath({ view: search.view }) : (current?.href ?? '')}
          onChoose={go}
        >
          <NativeButton aria-current={isInRest ? 'page' : undefined} className={TAB}>
            <Ellipsis />
            {t('more')}
          </NativeButton>
        </ChoiceMenu>
      )}
    </nav>
  )
}

interface TabProps {
  href: string
  isCurrent: boolean
  icon: ReactNode
  children: ReactNode
}

function Tab({ href, isCurrent, icon, children }: TabProps) {
  return (
    <Link href={href} prefetch={false} aria-current={isCurrent ? 'page' : undefined} className={TAB}>
      {icon}
      {children}
    </Link>
  )
}
