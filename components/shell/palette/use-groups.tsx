'use client'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import {
  ArrowDown,
  ArrowUp,
  Building2,
  Check,
  Hash,
  Inbox,
  Keyboard,
  LogOut,
  Play,
  Siren,
  SlidersHorizontal,
  SunMoon,
  Undo2,
  UserRound,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFilter } from 'react-aria-components/Autocomplete'
import { useTranslations } from 'use-intl'
import { useActsNow } from '#components/keys/acts-context.tsx'
import { type KeyAct, QUEUE_KEYS } from '#components/keys/keys.ts'
import { combosInForce } from '#components/keys/own-keys.ts'
import { useOwnKeys } from '#components/keys/use-own-keys.ts'
import { toChannelPath } from '#components/kit/addresses/channels-search.ts'
import { toCommunityPath } from '#components/kit/addresses/communities-search.ts'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { SECTIONS } from '#components/kit/frame/sections.tsx'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { THEMES } from '#components/preferences/preferences.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { usePlaces } from '#components/queue/views/use-places.ts'
import { SETTINGS_PARTS } from '#components/settings/settings-parts.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useCopy } from '#components/ui/use-copy.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { Section } from '#server/modules/accounts/access/schema.ts'
import { useSignOut } from '../use-sign-out.ts'

export interface Entry {
  id: string
  icon: ReactNode
  name: string
  about?: string
  /** The act's shortcut. */
  combo?: string | undefined
  run: () => void
}

export interface Group {
  id: string
  title: string
  entries: Entry[]
}

const ICON_OF: Partial<Record<KeyAct, ReactNode>> = {
  next: <ArrowDown />,
  previous: <ArrowUp />,
  approve: <Check />,
  reject: <X />,
  takeBack: <Undo2 />,
  keys: <Keyboard />,
}

const COMMUNITIES_SHOWN = 6
const HELD_COUNTED = 100

/** The matches for the typed text: people, communities and channels, acts of the page, and pages. */
export function useGroups(typed: string): { groups: Group[]; isLooking: boolean; hasFailed: boolean } {
  const words = typed.trim()
  const { contains, startsWith } = useFilter({ sensitivity: 'base' })
  const found = useFound(words)
  const doing = useDoing()
  const going = useGoing()
  const own = useOwnActs()
  const fits = ({ name, about = '' }: Entry) => contains(`${name} ${about}`, words)

  const byBeginning = (a: Entry, b: Entry) => Number(startsWith(b.name, words)) - Number(startsWith(a.name, words))

  const communities = [...going.communities.filter(fits).slice(0, COMMUNITIES_SHOWN), ...found.communities]
  const groups = [
    { ...found.people },
    {
      id: 'communities',
      title: found.titles.communities,
      entries: uniqueById(communities).slice(0, COMMUNITIES_SHOWN),
    },
    { ...found.channels },
    ...[...doing, going.pages, own].map((group) => ({
      ...group,
      entries: group.entries.filter(fits).sort(byBeginning),
    })),
  ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isLooking: found.isLooking,
    hasFailed: found.hasFailed,
  }
}

/** Keeps the first of each: local entries have more detail than search results. */
function uniqueById(entries: Entry[]): Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ id }) => !seen.has(id) && seen.add(id))
}

interface SpaceMatch extends Pick<Entry, 'id' | 'icon' | 'name'> {
  path: string
}

/** The server's results. While it searches for more letters, earlier results that still match stay. */
function useFound(words: string) {
  const t = useTranslations('palette')
  const ui = useTranslations('ui')
  const trpc = useTRPC()
  const { contains } = useFilter({ sensitivity: 'base' })
  const { data: me } = useSuspenseQuery(trpc.access.me.queryOptions())
  const go = useNavigate()
  const isOpen = (section: Section) => me.opens.includes(section)
  const copyId = useCopyId()
  const { data, isFetching, isError, isPlaceholderData } = useQuery(
    trpc.palette.find.queryOptions({ query: words }, { ...KEEP_PREVIOUS, enabled: words !== '' }),
  )
  const things = words === '' ? undefined : data
  const stillFits = (name: string, id: string) => !isPlaceholderData || contains(`${name} ${id}`, words)

  const people = (things?.users ?? [])
    .filter(({ userId, displayName }) => stillFits(displayName, userId))
    .map(({ userId, displayName, held, isGlobalBan }): Entry => {
      const facts = [
        userId,
        held > 0 && t(held < HELD_COUNTED ? 'held' : 'manyHeld', { count: held }),
        isGlobalBan && t('bannedEverywhere'),
      ]
      return {
        id: `user ${userId}`,
        icon: <UserRound />,
        name: displayName,
        about: facts.filter(Boolean).join(ui('comma')),
        run: isOpen('users') ? () => go(toUserPath(userId)) : () => copyId(userId),
      }
    })
  const space = (section: 'communities' | 'channels', id: string, { path, ...entry }: SpaceMatch) => ({
    ...entry,
    about: isOpen(section) ? id : `${id}, ${t('copies')}`,
    run: isOpen(section) ? () => go(path) : () => copyId(id),
  })
  const communities = (things?.communities ?? [])
    .filter(({ communityId, displayName }) => stillFits(displayName, communityId))
    .map(({ communityId: id, displayName: name }) =>
      space('communities', id, { id: `community ${id}`, icon: <Building2 />, name, path: toCommunityPath(id) }),
    )
  const channels = (things?.channels ?? [])
    .filter(({ channelId, displayName }) => stillFits(displayName, channelId))
    .map(({ channelId: id, displayName: name }) =>
      space('channels', id, { id: `channel ${id}`, icon: <Hash />, name, path: toChannelPath(id) }),
    )

  return {
    titles: { communities: t('communities') },
    people: { id: 'people', title: t('people'), entries: people },
    channels: { id: 'channels', title: t('channels'), entries: channels },
    communities,
    isLooking: isFetching,
    hasFailed: isError && words !== '',
  }
}

/** The page's acts, as they were when the palette opened. */
function useDoing(): Group[] {
  const t = useTranslations('palette')
  const words = useTranslations('keys.acts')
  const own = useOwnKeys()
  const [pages] = useState(useActsNow())
  return pages.map(({ acts, about }, index) => ({
    id: `do ${index}`,
    title: about ? t('doAbout', { about }) : t('do'),
    entries: Object.values(QUEUE_KEYS)
      .flat()
      .flatMap(({ act, combos }) => {
        const { [act]: run } = acts
        // The reason act needs a digit.
        if (!run || act === 'reason') return []
        const [combo = ''] = combosInForce(act, combos, own)
        return {
          id: act,
          icon: ICON_OF[act] ?? <Play />,
          name: words(act),
          combo: combo || undefined,
          run: () => run(combo),
        }
      }),
  }))
}

/** Pages of the desk that the person may open. */
function useGoing(): { pages: Group; communities: Entry[] } {
  const t = useTranslations('palette')
  const nav = useTranslations('nav')
  const go = useNavigate()
  const trpc = useTRPC()
  const toQueue = useToQueue()
  const ui = useTranslations('ui')
  const settingsParts = useTranslations('settingsParts')
  const { states, views: saved } = usePlaces()
  const { data: me } = useSuspenseQuery(trpc.access.me.queryOptions())
  const { data: counts } = useQuery(trpc.review.counts.queryOptions())

  const queue: Entry = {
    id: 'queue',
    icon: <Inbox />,
    name: t('queue'),
    ...(counts && { about: t('held', { count: counts.total }) }),
    run: () => toQueue({}),
  }
  const views = [...states, ...saved].map(
    ({ path, label, count }): Entry => ({
      id: path,
      icon: <Inbox />,
      name: label,
      about: [t('view'), count].filter(Boolean).join(ui('comma')),
      run: () => go(path),
    }),
  )
  const urgent: Entry = {
    id: 'urgent',
    icon: <Siren />,
    name: t('urgent'),
    about: t('view'),
    run: () => go(toQueuePath({ order: 'urgent' })),
  }
  // The settings are listed by page.
  const parts = SECTIONS.filter(({ section }) => section !== 'settings' && me.opens.includes(section)).map(
    ({ section, href, icon }): Entry => ({ id: href, icon, name: nav(section), run: () => go(href) }),
  )
  const preferences: Entry = {
    id: 'preferences',
    icon: <SlidersHorizontal />,
    name: t('preferences'),
    about: t('preferencesAbout'),
    run: () => go('/settings/preferences'),
  }
  const settings = SETTINGS_PARTS.filter(({ part }) => part !== 'preferences' && me.settings.includes(part)).map(
    ({ part, href }): Entry => ({
      id: href,
      icon: <SlidersHorizontal />,
      name: settingsParts(part),
      about: nav('settings'),
      run: () => go(href),
    }),
  )
  const reviewing = me.reviews ? [queue, ...views, urgent] : []
  return {
    pages: { id: 'go', title: t('go'), entries: [...reviewing, ...parts, ...settings, preferences] },
    communities: (counts?.communities ?? []).map(({ communityId, displayName, held }) => ({
      id: `queue of ${communityId}`,
      icon: <Inbox />,
      name: t('queueOf', { name: displayName }),
      about: t('held', { count: held }),
      run: () => toQueue({ communityId }),
    })),
  }
}

/** What one does with one's own account, on every page. */
function useOwnActs(): Group {
  const t = useTranslations('shell')
  const { change } = usePreferences()
  const signOut = useSignOut()
  const themes = THEMES.map(
    (theme): Entry => ({
      id: `theme ${theme}`,
      icon: <SunMoon />,
      name: `${t('theme')}: ${t(`themes.${theme}`)}`,
      run: () => change({ theme }),
    }),
  )
  const leave: Entry = { id: 'sign out', icon: <LogOut />, name: t('signOut'), run: () => void signOut() }
  return { id: 'own', title: t('yourAccount'), entries: [...themes, leave] }
}

function useToQueue() {
  const go = useNavigate()
  return (narrowedTo: { authorId?: string; communityId?: string }) => {
    const search = new URLSearchParams(narrowedTo).toString()
    go(search ? `/queue?${search}` : '/queue')
  }
}

function useCopyId() {
  const t = useTranslations('palette')
  const copy = useCopy()
  return (id: string) => void copy(id, t('copied', { id }))
}
