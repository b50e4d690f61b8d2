import { expect, test } from 'vitest'
import type { Section } from '#server/modules/accounts/access/schema.ts'
import { tabsOf } from './tabs-of.ts'

const links = (...sections: Section[]) => sections.map((section) => ({ section }))
const namesOf = ({ tabs, rest }: ReturnType<typeof tabsOf>) => ({
  tabs: tabs.map(({ section }) => section),
  rest: rest.map(({ section }) => section),
})

test('gives reviewers messages and users beside the queue, and everything else under More', () => {
  const all = links('appeals', 'channels', 'messages', 'communities', 'users', 'insights', 'audit', 'settings')
  expect(namesOf(tabsOf(all, true))).toEqual({
    tabs: ['messages', 'users'],
    rest: ['appeals', 'channels', 'communities', 'insights', 'audit', 'settings'],
  })
})

test('fills the tabs of people without a queue with their other sections', () => {
  expect(namesOf(tabsOf(links('channels', 'messages', 'communities', 'users', 'settings'), false))).toEqual({
    tabs: ['messages', 'users', 'communities', 'channels'],
    rest: ['settings'],
  })
})
