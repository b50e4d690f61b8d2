'use client'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { CopyId } from '#components/ui/copy-id.tsx'
import { PageHead } from '#components/ui/page.tsx'
import { parseAsString } from '#components/ui/search-params/parsers.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { type TabLink, TabLinks } from '#components/ui/tab-links.tsx'
import type { MemberActs, SpaceRole } from '#server/modules/desk/spaces/schema.ts'
import { MembersPanel } from './members/members-panel.tsx'
import { type Named, type SpaceKind, spaceNameOf } from './space-kinds.ts'

interface SpacePageProps<Space extends Named> {
  kind: SpaceKind<Space>
  space: Space
  may: MemberActs
  roles: SpaceRole[]
  /** Facts in a sentence, before the id. */
  facts: string
  /** The tab besides the members, and its name in the URL. */
  tab: { id: string; name: string; content: ReactNode }
  /** All tabs in their order. */
  tabs: (tab: TabLink, members: TabLink) => TabLink[]
  /** Above the head. */
  banner?: ReactNode
  /** Acts on the space beside the one that adds members, which is null if it isn't shown. */
  acts?: (addPeople: ReactNode) => ReactNode
}

const TAB_SEARCH = { tab: parseAsString }

/** A channel or a community: its head and tabs, of which the members are the first to be shown. */
export function SpacePage<Space extends Named>(props: SpacePageProps<Space>) {
  const { kind, space, tab } = props
  const t = useTranslations(kind.texts)
  const format = useFormatter()
  const [{ tab: tabId }] = useQueryStates(TAB_SEARCH)
  const isTab = tabId === tab.id
  const spaceId = kind.idOf(space)

  const head = (addPeople: ReactNode) => (
    <>
      {props.banner}
      <PageHead
        title={spaceNameOf(kind, space)}
        about={
          <>
            {props.facts} <CopyId id={spaceId} />
          </>
        }
        acts={props.acts ? props.acts(addPeople) : addPeople}
      />
      <TabLinks
        label={t('parts')}
        tabs={props.tabs(
          { href: `?tab=${tab.id}`, name: tab.name, isCurrent: isTab },
          { href: '?', name: t('members'), count: format.number(kind.memberCountOf(space)), isCurrent: !isTab },
        )}
      />
    </>
  )
  if (isTab) {
    return (
      <>
        {head(null)}
        {tab.content}
      </>
    )
  }
  return <MembersPanel space={kind.spaceOf(spaceId)} may={props.may} roles={props.roles} head={head} />
}
