import type { Section } from '#server/modules/accounts/access/schema.ts'

const TABS = 4
/** The sections that get a tab first. */
const FIRST: readonly Section[] = [
  'messages',
  'users',
  'appeals',
  'communities',
  'channels',
  'insights',
  'audit',
  'settings',
]

/** Which sections have a tab of their own on a phone, beside two of the queue for those who review, and which are under "More". */
export function tabsOf<Link extends { section: Section }>(
  sections: readonly Link[],
  reviews: boolean,
): { tabs: Link[]; rest: Link[] } {
  const ranked = sections.toSorted((a, b) => FIRST.indexOf(a.section) - FIRST.indexOf(b.section))
  const tabs = ranked.slice(0, reviews ? TABS - 2 : TABS)
  return { tabs, rest: sections.filter((link) => !tabs.includes(link)) }
}
