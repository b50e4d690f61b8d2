'use client'
import { useQuery } from '@tanstack/react-query'
import { Building2, Ellipsis, Flag, Globe, Inbox } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Button } from 'react-aria-components/Button'
import { useFormatter, useTranslations } from 'use-intl'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { useSections } from '#components/kit/frame/use-sections.ts'
import { ZoneMenu } from '#components/kit/zones/zone-menu.tsx'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { useQueueFilter } from './use-queue-filter.ts'

const TAB =
  'grid place-content-center justify-items-center gap-0.5 text-[10.5px] leading-[14px] text-ink-3 no-underline aria-[current]:font-bold aria-[current]:text-accent aria-[current]:shadow-[inset_0_2px_var(--accent)] [&_.lucide]:size-5 forced-colors:aria-[current]:outline-2 forced-colors:aria-[current]:-outline-offset-2 focus-visible:-outline-offset-2'

/** The navigation of small screens, at the bottom: the queue, its communities, the time zone and everything else. */
export function QueueTabs() {
  const t = useTranslations('nav')
  const format = useFormatter()
  const { search, zone, narrow } = useQueueFilter()
  const { change } = usePreferences()
  const go = useNavigate()
  const { sections, current } = useSections()
  const isQueue = usePathname() === '/queue'
  const isReported = isQueue && search.view === 'reported'
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const communities = counts?.communities ?? []

  return (
    <nav aria-label={t('label')} className="hidden grid-cols-5 border-t border-line-strong bg-sunken phone:grid">
      <Link href="/queue" prefetch={false} aria-current={isQueue && !isReported ? 'page' : undefined} className={TAB}>
        <Inbox />
        {t('queue')}
      </Link>
      <Link
        href={toQueuePath({ view: 'reported' })}
        prefetch={false}
        aria-current={isReported ? 'page' : undefined}
        className={TAB}
      >
        <Flag />
        {t('reported')}
      </Link>
      <ChoiceMenu
        label={t('communities')}
        choices={[
          { id: '', label: t('allMine'), hint: counts && format.number(counts.total) },
          ...communities.map(({ communityId, displayName, held }) => ({
            id: communityId,
            label: displayName,
            hint: format.number(held),
          })),
        ]}
        chosen={search.communityId ?? ''}
        onChoose={(id) =>
          isQueue ? narrow({ communityId: id || null }) : go(toQueuePath({ communityId: id || null }))
        }
      >
        <Button className={TAB}>
          <Building2 />
          {t('communities')}
        </Button>
      </ChoiceMenu>
      <ZoneMenu
        chosen={zone}
        onChoose={(chosen) => {
          change({ zone: chosen })
          narrow({ timeZone: null })
        }}
      >
        <Button className={TAB}>
          <Globe />
          {t('zone')}
        </Button>
      </ZoneMenu>
      <ChoiceMenu
        label={t('more')}
        choices={sections.map(({ section, href }) => ({ id: href, label: t(section) }))}
        chosen={current?.href ?? ''}
        onChoose={go}
      >
        <Button aria-current={isQueue ? undefined : 'page'} className={TAB}>
          <Ellipsis />
          {t('more')}
        </Button>
      </ChoiceMenu>
    </nav>
  )
}
